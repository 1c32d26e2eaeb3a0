// Ranks one by one: of the job, of a function, and the functions of one.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analyze/names.h"
#include "analyze/ranks/idle_ranks.h"
#include "analyze/ranks/rank_histogram.h"
#include "analyze/ranks/rank_words.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "report/process_words.h"
#include "report/ranks_sections.h"
#include "report/sections.h"

namespace pyrometer {
namespace {

constexpr auto kLeft = TextTable::Align::kLeft;
constexpr std::size_t kAtEachEnd = 3;      // ranks that are named where all would be too many
constexpr std::size_t kFewRanks = 16;      // that are all shown
constexpr std::size_t kMostFunctions = 3;  // that are shown rank by rank

// "  2.10 s  ▁▁▃▇█▂  8.30 s"
std::string histogram_line(const RankFacts& facts, const RankHistogram& histogram) {
  return fmt::format("  {}  {}  {}\n", rank_value(facts, histogram.from), bars(histogram.counts),
                     rank_value(facts, histogram.to));
}

// Rows by their values, the largest first.
std::vector<std::uint32_t> order_of(const std::vector<double>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  return order;
}

// Both ends of an order, or all of it where that is short or asked for. A gap is a row of dots.
template <class AddRow>
void add_ends(const std::vector<std::uint32_t>& order, bool all, TextTable& table,
              std::size_t columns, AddRow add_row) {
  const bool is_whole = all || order.size() <= kFewRanks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_end = i < kAtEachEnd || i + kAtEachEnd >= order.size();
    if (is_whole || is_end) {
      add_row(order[i]);
    } else if (i == kAtEachEnd) {
      table.add_row(std::vector<std::string>(columns, "…"));
    }
  }
}

}  // namespace

std::string rank_list_section(const Overview& overview, const RanksReportOptions& options,
                              const Style& style) {
  const RankFacts& facts = *overview.ranks;
  const RankList& list = facts.list;
  std::vector<double> useful;
  for (const JobRank& rank : list.ranks) useful.push_back(static_cast<double>(rank.useful));
  std::vector<TextTable::Column> columns{{"rank"},       {"useful"},     {"MPI"},  {"waiting"},
                                         {"I/O"},        {"sleep"},      {"wall"}, {"", kLeft},
                                         {"end", kLeft}, {"host", kLeft}};
  const std::size_t count = columns.size();
  TextTable table(std::move(columns));
  add_ends(order_of(useful), options.all_ranks, table, count, [&](std::uint32_t row) {
    const JobRank& rank = list.ranks[row];
    const Process& process = overview.profile.processes[rank.process.row()];
    const bool is_idle = useful[row] < kIdleBelow * static_cast<double>(list.busiest);
    const auto time = [](std::int64_t value) { return time_words(static_cast<double>(value)); };
    table.add_row({fmt::format("{}", rank.number), time(rank.useful), time(rank.mpi),
                   time(rank.mpi_wait), time(rank.io), time(rank.sleep), time(rank.wall),
                   is_idle ? "idle" : "", status_words(process), process.host});
  });
  RankHistogram histogram = make_histogram(useful);
  return fmt::format("Ranks by useful time\n  {}  {}  {}\n", time_words(histogram.from),
                     bars(histogram.counts), time_words(histogram.to)) +
         table.render(style);
}

std::string function_by_rank_section(const Overview& overview, const RanksReportOptions& options,
                                     const Style& style) {
  const Profile& profile = overview.profile;
  const RankFacts& facts = *overview.ranks;
  const RankTable& values = facts.table(RankSubject::kTotal);
  const auto rows = select_rank_functions(overview, options);
  const std::size_t shown = std::min(rows.size(), options.limit.value_or(kMostFunctions));
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const Imbalance& row = rows[i];
    const Function& function = profile.functions[row.item];
    out += fmt::format(
        "{}{} {}: mean {}, sd {}, min {} (rank {}), max {} (rank {}), imbalance {:.2f}{}\n",
        out.empty() ? "" : "\n", style.bold(short_name(profile, function)),
        short_place(profile, function), rank_value(facts, row.mean),
        rank_value(facts, row.deviation), rank_value(facts, static_cast<double>(row.minimum)),
        facts.number(row.minimum_rank), rank_value(facts, static_cast<double>(row.maximum)),
        facts.number(row.maximum_rank), row.factor,
        row.is_certain ? "" : ", not distinguishable from sampling noise");
    out += histogram_line(facts, make_histogram(values, row.item, facts.ranks()));
    const std::vector<double> by_rank = values.values(row.item, facts.ranks());
    TextTable table({{"rank"}, {facts.metric.name}, {"of the mean"}, {"host", kLeft}});
    add_ends(order_of(by_rank), options.all_ranks, table, 4, [&](std::uint32_t rank) {
      table.add_row({fmt::format("{}", facts.number(rank)), rank_value(facts, by_rank[rank]),
                     fmt::format("{:.2f}", by_rank[rank] / row.mean),
                     facts.list.hosts[facts.list.ranks[rank].host].name});
    });
    out += table.render(style);
  }
  return out + more_rows(rows.size(), shown, style);
}

std::string functions_of_rank_section(const Overview& overview, const RanksReportOptions& options,
                                      const Style& style) {
  const Profile& profile = overview.profile;
  const RankFacts& facts = *overview.ranks;
  const auto& ranks = facts.list.ranks;
  const auto found = std::find_if(ranks.begin(), ranks.end(), [&](const JobRank& rank) {
    return rank.number == *options.rank;
  });
  const auto wanted = static_cast<std::uint32_t>(found - ranks.begin());
  std::vector<RankCell> cells;
  std::vector<double> own(profile.functions.size());
  for (const RankCell& cell : facts.table(RankSubject::kTotal).cells) {
    const bool is_code = profile.functions[cell.item].kind != FunctionKind::kLabel;
    if (cell.rank == wanted && is_code) cells.push_back(cell);
  }
  for (const RankCell& cell : facts.table(RankSubject::kOwn).cells) {
    if (cell.rank == wanted) own[cell.item] = static_cast<double>(cell.value);
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const RankCell& a, const RankCell& b) { return a.value > b.value; });
  const std::size_t shown = std::min(cells.size(), options.limit.value_or(cells.size()));
  TextTable table({{"total"},
                   {"own"},
                   {"mean of ranks"},
                   {"of the mean"},
                   {"function", kLeft},
                   {"where", kLeft}});
  for (std::size_t i = 0; i < shown; ++i) {
    const auto value = static_cast<double>(cells[i].value);
    const double mean = facts.of(RankSubject::kTotal, cells[i].item).mean(facts.ranks());
    const Function& function = profile.functions[cells[i].item];
    table.add_row({rank_value(facts, value), rank_value(facts, own[cells[i].item]),
                   rank_value(facts, mean), fmt::format("{:.2f}", value / mean),
                   std::string(display_name(profile, function)), display_place(profile, function)});
  }
  return fmt::format("Rank {} on {}, its largest functions from {:.1f} % on\n", *options.rank,
                     printable(facts.list.hosts[found->host].name), 100.0 / kWeighs) +
         table.render(style) + more_rows(cells.size(), shown, style);
}

}  // namespace pyrometer
