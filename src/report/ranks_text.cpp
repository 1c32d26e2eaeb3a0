#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/ranks/efficiency.h"
#include "analyze/ranks/rank_words.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "report/ranks_sections.h"

namespace pyrometer {
namespace {

using Section = std::string (*)(const Overview&, const RanksReportOptions&, const Style&);
struct OptionalSection {
  bool (*is_wanted)(const RanksReportOptions&) = nullptr;
  Section write = nullptr;
};
constexpr OptionalSection kSections[] = {
    {[](const RanksReportOptions& o) { return !o.has_views(); }, rank_functions_section},
    {[](const RanksReportOptions& o) { return o.lines; }, rank_lines_section},
    {[](const RanksReportOptions& o) { return !o.functions.empty(); }, function_by_rank_section},
    {[](const RanksReportOptions& o) { return o.rank.has_value(); }, functions_of_rank_section},
    {[](const RanksReportOptions& o) { return o.mpi || !o.has_views(); }, rank_mpi_section},
    {[](const RanksReportOptions& o) { return o.hosts; }, rank_hosts_section},
    {[](const RanksReportOptions& o) { return o.all_ranks || !o.has_views(); }, rank_list_section},
};

// ", openmpi (Open MPI v4.1.4)"
std::string launcher_words(const Overview& overview) {
  const ProcessId first = overview.ranks->list.ranks[0].process;
  const Process& process = overview.profile.processes[first.row()];
  const std::string launcher = attribute(process, "launcher");
  const std::string library = mpi_library_words(process);
  std::string words;
  if (!launcher.empty()) words += ", started by " + printable(launcher);
  if (!library.empty()) words += ", " + printable(library);
  return words;
}

std::string efficiency_line(const RankList& list) {
  const Efficiency efficiency = find_efficiency(list);
  if (!efficiency.withheld.empty()) {
    return fmt::format("  efficiency withheld: {}\n", efficiency.withheld);
  }
  return fmt::format(
      "  parallel efficiency {:.0f} % = load balance {:.0f} % x communication {:.0f} %; its parts "
      "serialisation and transfer need a trace\n",
      100 * efficiency.parallel, 100 * efficiency.load_balance, 100 * efficiency.communication);
}

std::string findings_lines(const Overview& overview, const Style& style) {
  std::string out;
  // Of recordings that cannot be read, whose ranks are missing below.
  for (const std::string& note : overview.profile.notes) {
    out += style.yellow("  ! " + printable(note) + ".") + "\n";
  }
  for (const Finding& finding : find_all_of_ranks(overview)) {
    const std::string sentence = printable(finding.sentence);
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    out += (is_warning ? style.yellow("  ! " + sentence) : "  • " + sentence) + "\n";
  }
  return out;
}

}  // namespace

std::string bars(const std::vector<std::size_t>& counts) {
  constexpr const char* kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kHighest = std::size(kBars) - 1;
  const std::size_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  std::string out;
  for (const std::size_t count : counts) {
    // One rank of ten thousand is seen, too.
    out += count == 0 ? kBars[0] : kBars[1 + count * (kHighest - 1) / most];
  }
  return out;
}

std::string rank_value(const RankFacts& facts, double value) {
  constexpr double kLargest = 9e18;  // that fits 64 bits
  return format_value(facts.metric.unit, static_cast<std::int64_t>(std::min(value, kLargest)));
}

std::string rank_header(const Overview& overview, const Style& style) {
  const RankList& list = overview.ranks->list;
  std::string out =
      style.bold("pyrometer ranks") + "  " + format_plural(list.ranks.size(), "rank", "ranks") +
      " on " + format_plural(list.hosts.size(), "host", "hosts") + launcher_words(overview) + "\n";
  const double all = static_cast<double>(list.wall) * static_cast<double>(list.ranks.size());
  const auto share = [&](std::int64_t time) {
    return format_percent(all > 0 ? static_cast<double>(time) / all : 0);
  };
  out += fmt::format("  wall {}, of which ranks work {}",
                     time_words(static_cast<double>(list.wall)), share(list.useful));
  if (list.has_mpi()) {
    out += fmt::format(", are in MPI {}, and wait there {}", share(list.mpi), share(list.mpi_wait));
  }
  if (all > 0 && static_cast<double>(std::max(list.useful, list.mpi)) > all) {
    out += " (of all their threads)";  // explains more than 100 %
  }
  return out + "\n" + efficiency_line(list);
}

std::string ranks_text(const Overview& overview, const RanksReportOptions& options) {
  const Style style(options.use_color);
  std::string out = rank_header(overview, style) + findings_lines(overview, style);
  for (const OptionalSection& section : kSections) {
    if (section.is_wanted(options)) out += "\n" + section.write(overview, options, style);
  }
  return out;
}

}  // namespace pyrometer
