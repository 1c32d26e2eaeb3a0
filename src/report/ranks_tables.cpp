// Functions, lines, MPI calls and hosts across ranks.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/names.h"
#include "analyze/ranks/communicators.h"
#include "analyze/ranks/mpi_waits.h"
#include "analyze/ranks/rank_words.h"
#include "base/format_value.h"
#include "report/ranks_sections.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;

std::size_t shown_rows(std::size_t all, const RanksReportOptions& options) {
  return std::min(all, options.limit.value_or(all));
}

std::vector<TextTable::Column> imbalance_columns(bool has_lines) {
  std::vector<TextTable::Column> columns{{"mean"}, {"sd"},        {"min"},  {"rank"}, {"max"},
                                         {"rank"}, {"imbalance"}, {"cost"}, {"%"},    {"", kLeft}};
  columns.push_back({has_lines ? "line" : "function", kLeft});
  columns.push_back({has_lines ? "function" : "where", kLeft});
  return columns;
}

void add_imbalance(TextTable& table, const Overview& overview, const Imbalance& row,
                   std::string name, std::string place) {
  const RankFacts& facts = *overview.ranks;
  table.add_row({rank_value(facts, row.mean), rank_value(facts, row.deviation),
                 rank_value(facts, static_cast<double>(row.minimum)),
                 fmt::format("{}", facts.number(row.minimum_rank)),
                 rank_value(facts, static_cast<double>(row.maximum)),
                 fmt::format("{}", facts.number(row.maximum_rank)),
                 fmt::format("{:.2f}", row.factor), rank_value(facts, row.cost),
                 format_percent(row.share), row.is_certain ? "" : "noise?", std::move(name),
                 std::move(place)});
}

std::string title(const Overview& overview, const char* what, const RanksReportOptions& options) {
  const std::string metric =
      overview.ranks->metric.id ? overview.ranks->metric.name : "useful time";
  return fmt::format("{} by {} ({} of each rank; cost: the maximum beyond the mean)\n", what,
                     name_of(options.order), metric);
}

// A word on rows whose imbalance may be chance, where there are any.
std::string noise_note(const std::vector<Imbalance>& rows, std::size_t shown, const Style& style) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(shown);
  if (std::all_of(rows.begin(), end, [](const Imbalance& row) { return row.is_certain; }))
    return {};
  return style.dim("  noise?: not distinguishable from sampling noise") + "\n";
}

}  // namespace

std::string rank_functions_section(const Overview& overview, const RanksReportOptions& options,
                                   const Style& style) {
  const Profile& profile = overview.profile;
  const auto rows = select_rank_rows(overview, RankSubject::kTotal, options);
  const std::size_t shown = shown_rows(rows.size(), options);
  TextTable table(imbalance_columns(false));
  for (std::size_t i = 0; i < shown; ++i) {
    const Function& function = profile.functions[rows[i].item];
    add_imbalance(table, overview, rows[i], std::string(display_name(profile, function)),
                  display_place(profile, function));
  }
  return title(overview, "Functions", options) + table.render(style) +
         noise_note(rows, shown, style) + more_rows(rows.size(), shown, style);
}

std::string rank_lines_section(const Overview& overview, const RanksReportOptions& options,
                               const Style& style) {
  const Profile& profile = overview.profile;
  const auto rows = select_rank_rows(overview, RankSubject::kLine, options);
  const std::size_t shown = shown_rows(rows.size(), options);
  TextTable table(imbalance_columns(true));
  for (std::size_t i = 0; i < shown; ++i) {
    const CodeLine& place = overview.ranks->items.lines[rows[i].item];
    const Function& function = profile.functions[place.function.row()];
    add_imbalance(table, overview, rows[i], display_place(profile, function, place.line),
                  std::string(display_name(profile, function)));
  }
  return title(overview, "Lines", options) + table.render(style) + noise_note(rows, shown, style) +
         more_rows(rows.size(), shown, style);
}

namespace {

// "8", or "2 to 8" where the line uses communicators of several sizes.
std::string communicator_words(const Communicators& communicators, std::uint32_t site) {
  const std::uint32_t smallest = communicators.smallest[site];
  const std::uint32_t largest = communicators.largest[site];
  if (largest == 0) return "";
  return smallest == largest ? fmt::format("{}", largest)
                             : fmt::format("{} to {}", smallest, largest);
}

}  // namespace

std::string rank_mpi_section(const Overview& overview, const RanksReportOptions& options,
                             const Style& style) {
  const Profile& profile = overview.profile;
  const RankFacts& facts = *overview.ranks;
  const std::vector<MpiSiteCost> sites = find_mpi_sites(facts);
  if (sites.empty()) return "No MPI calls were recorded.\n";
  // Asked for by name, it is the whole table.
  const std::size_t shown = options.mpi ? sites.size() : shown_rows(sites.size(), options);
  const Communicators communicators(facts.items, profile.mpi_calls);
  TextTable table({{"waiting"},
                   {"%"},
                   {"time"},
                   {"calls"},
                   {"bytes"},
                   {"ranks"},
                   {"call", kLeft},
                   {"line", kLeft},
                   {"likely for", kLeft}});
  for (std::size_t i = 0; i < shown; ++i) {
    const MpiSiteCost& cost = sites[i];
    const MpiCallLine& site = facts.items.sites[cost.site];
    std::string culprit;
    if (cost.culprit) {
      culprit = fmt::format("rank {}: {} more at {}", facts.number(cost.culprit->rank),
                            time_words(cost.culprit->excess),
                            line_words(profile, facts.items.lines[cost.culprit->line]));
    }
    table.add_row({time_words(cost.wait), format_percent(cost.share), time_words(cost.time),
                   format_count(cost.calls), format_value(Unit::kBytes, cost.bytes),
                   communicator_words(communicators, cost.site),
                   std::string(display_name(profile, profile.functions[site.call.row()])),
                   line_words(profile, site.caller), culprit});
  }
  return "MPI calls by waiting, of all ranks\n" + table.render(style) +
         more_rows(sites.size(), shown, style);
}

std::string rank_hosts_section(const Overview& overview, const RanksReportOptions&,
                               const Style& style) {
  const RankList& list = overview.ranks->list;
  struct Sums {
    double useful = 0, mpi = 0, wait = 0;
  };
  std::vector<Sums> sums(list.hosts.size());
  for (const JobRank& rank : list.ranks) {
    sums[rank.host].useful += static_cast<double>(rank.useful);
    sums[rank.host].mpi += static_cast<double>(rank.mpi);
    sums[rank.host].wait += static_cast<double>(rank.mpi_wait);
  }
  TextTable table({{"ranks"}, {"cores"}, {"useful"}, {"MPI"}, {"waiting"}, {"host", kLeft}});
  for (std::size_t i = 0; i < list.hosts.size(); ++i) {
    const RankHost& host = list.hosts[i];
    const auto ranks = static_cast<double>(host.ranks);
    table.add_row({fmt::format("{}", host.ranks),
                   host.cores > 0 ? fmt::format("{}", host.cores) : "",
                   time_words(sums[i].useful / ranks), time_words(sums[i].mpi / ranks),
                   time_words(sums[i].wait / ranks), host.name});
  }
  return "Hosts, with the means of their ranks\n" + table.render(style);
}

}  // namespace pyrometer
