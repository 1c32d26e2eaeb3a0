#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_list.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "report/memory_sections.h"

namespace pyrometer {
namespace {

using Section = std::string (*)(const MemorySubject&, const MemoryReportOptions&, const Style&);
struct OptionalSection {
  bool (*is_wanted)(const MemoryReportOptions&) = nullptr;
  Section write = nullptr;
};
constexpr auto kAlways = [](const MemoryReportOptions&) { return true; };
// A moment or a tree that was asked for stands alone.
constexpr auto kByDefault = [](const MemoryReportOptions& o) { return !o.at && !o.tree; };
constexpr OptionalSection kSections[] = {
    {kByDefault, memory_parts_section},
    {[](const MemoryReportOptions& o) { return o.slope; }, slope_section},
    {[](const MemoryReportOptions& o) { return o.at.has_value(); }, live_section},
    {[](const MemoryReportOptions& o) { return o.tree; }, memory_tree_section},
    {kByDefault, memory_sites_section},
    {kByDefault, growth_section},
    {kByDefault, churn_section},
    {kByDefault, copies_section},
    {kByDefault, sizes_section},
    {kAlways, memory_processes_section},
    {kByDefault, memory_spread_section},
    {kByDefault, memory_hosts_section},
    {kByDefault, memory_regions_section},
    {kByDefault, memory_lines_section},
};

std::string bytes(std::int64_t value) { return format_value(Unit::kBytes, value); }
std::string time(std::int64_t value) { return format_value(Unit::kNanoseconds, value); }

// "sampled every 512 KiB": how numbers came about.
std::string mode_words(const MemorySubject& subject) {
  const MemoryFacts& facts = subject.facts;
  if (facts.is_sampled()) {
    const Process& process = subject.profile().processes[facts.processes[0].process.row()];
    const std::int64_t between = number_attribute(process, memory_attribute::kSampleBytes, 0);
    return between > 0 ? fmt::format(", sampled every {}", bytes(between)) : ", sampled";
  }
  if (facts.mode == "exact") return ", every allocation";
  if (facts.mode == "objects") return ", every allocation and Python object";
  return {};
}

// " at 3.20 s of 10.4 s"
std::string when(const MemoryPeak& peak, std::int64_t duration) {
  return peak.time ? fmt::format(" at {} of {}", time(*peak.time), time(duration)) : "";
}

std::string limit_words(const ProcessMemory& memory) {
  const auto share = memory.share_of_available();
  if (!share) return {};
  const auto available = memory.available();
  return fmt::format(", {} of {} {}", format_percent(*share),
                     available == memory.limit ? "the limit of" : "the machine's",
                     bytes(*available));
}

std::string peak_line(const MemoryFacts& facts, const Style& style) {
  if (facts.processes.empty()) return {};
  const ProcessMemory& first = facts.processes[0];
  const bool is_one = facts.processes.size() == 1;
  const auto heap = is_one ? first.heap : facts.heap_together;
  const auto resident = is_one ? first.resident : facts.resident_together;
  std::string line;
  if (heap) {
    line = fmt::format("peak {} of heap{}", style.bold(bytes(heap->bytes)),
                       when(*heap, facts.duration));
  }
  if (resident) {
    line += line.empty() ? "peak " : ", ";
    const std::string level = bytes(resident->bytes);
    line += fmt::format("{} resident{}", heap ? level : style.bold(level),
                        heap ? "" : when(*resident, facts.duration));
  }
  if (line.empty()) return {};
  return fmt::format("  {}{}\n", line, is_one ? limit_words(first) : ", all processes together");
}

std::string totals_line(const MemoryFigures& all) {
  if (all.allocated == 0) return {};
  std::string line = fmt::format("  allocated {}", bytes(all.allocated));
  if (all.allocations > 0) line += fmt::format(" in {} blocks", format_count(all.allocations));
  if (all.temporary > 0)
    line += fmt::format(", {} of it freed again at once", bytes(all.temporary));
  if (all.live > 0) line += fmt::format("; {} live at the end", bytes(all.live));
  if (all.untouched > 0) line += fmt::format(", {} of it never touched", bytes(all.untouched));
  return line + "\n";
}

std::string copies_line(const MemoryFigures& all) {
  if (all.copied == 0) return {};
  return fmt::format("  copied {} in {} copies\n", bytes(all.copied), format_count(all.copies));
}

std::string findings_lines(const Overview& overview, const Style& style) {
  std::string out;
  for (const Finding& finding : find_all_of_memory(overview)) {
    const std::string sentence = printable(finding.sentence);
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    out += (is_warning ? style.yellow("  ! " + sentence) : "  • " + sentence) + "\n";
  }
  return out;
}

}  // namespace

std::string memory_header(const MemorySubject& subject, const Style& style) {
  const Profile& profile = subject.profile();
  std::string out = style.bold("pyrometer memory") + "  " +
                    format_plural(profile.processes.size(), "process", "processes") +
                    mode_words(subject) + "\n";
  return out + peak_line(subject.facts, style) + totals_line(subject.facts.figures) +
         copies_line(subject.facts.figures);
}

std::string memory_text(const MemorySubject& subject, const MemoryReportOptions& options) {
  const Style style(options.use_color);
  std::string out = memory_header(subject, style) + findings_lines(subject.overview, style);
  for (const OptionalSection& section : kSections) {
    if (!section.is_wanted(options)) continue;
    const std::string text = section.write(subject, options, style);
    if (!text.empty()) out += "\n" + text;
  }
  return out;
}

}  // namespace pyrometer
