// What the figures are of, where that is not simply everything: said before anything else.
#include "base/format_value.h"
#include "base/printable.h"
#include "report/sections.h"

namespace pyrometer {

namespace {

// "paths through solve.* inside the region assembly"
std::string part_words(const ReportSubject& subject) {
  std::string words;
  if (!subject.focus.empty()) words = fmt::format("paths through {}", printable(subject.focus));
  if (!subject.region.empty()) {
    words += fmt::format("{}inside the region {}", words.empty() ? "what is " : " ",
                         printable(subject.region));
  }
  return words;
}

}  // namespace

std::string scope_section(const ReportSubject& subject, const Style& style) {
  std::string out;
  if (!subject.metric_words.empty()) out += style.dim("  " + subject.metric_words) + "\n";
  if (!subject.is_whole()) {
    const Overview& overview = subject.overview;
    const Unit unit = overview.profile.metrics[overview.metric.row()].unit;
    const double share = subject.whole == 0 ? 0
                                            : static_cast<double>(overview.total) /
                                                  static_cast<double>(subject.whole);
    out += style.bold(fmt::format(
               "  Only {}: {} of {}, {}; percentages are of that.{}", part_words(subject),
               format_value(unit, overview.total), format_value(unit, subject.whole),
               format_percent(share),
               overview.profile.paths_are_estimated ? " Call paths are estimated." : "")) +
           "\n";
  }
  if (!subject.region.empty() && subject.left_out > 0) {
    out +=
        style.dim(fmt::format(
            "  The region ended {} more often, too shortly to be kept one by one: what was inside "
            "those is missing here.",
            format_plural(static_cast<std::size_t>(subject.left_out), "time", "times"))) +
        "\n";
  }
  return out;
}

std::string folding_section(const ReportSubject& subject, const Style& style) {
  const ReportSubject::Folding& folding = subject.folding;
  if (folding.frames == 0) return {};
  std::string sentence =
      fmt::format("  {} folded into what called them; --no-fold shows all.",
                  format_plural(folding.frames, "wrapper frame", "wrapper frames"));
  if (folding.is_estimated) {
    sentence += " Without call paths in the file this is an estimate.";
  }
  return style.dim(sentence) + "\n";
}

}  // namespace pyrometer
