// What the figures are of, where that is not simply everything: said before anything else.
#include "base/format_value.h"
#include "base/printable.h"
#include "report/sections.h"

namespace pyrometer {

std::string scope_section(const ReportSubject& subject, const Style& style) {
  std::string out;
  if (!subject.metric_words.empty()) out += style.dim("  " + subject.metric_words) + "\n";
  if (!subject.focus.empty()) {
    const Overview& overview = subject.overview;
    const Unit unit = overview.profile.metrics[overview.metric.row()].unit;
    const double share = subject.whole == 0 ? 0
                                            : static_cast<double>(overview.total) /
                                                  static_cast<double>(subject.whole);
    out += style.bold(fmt::format(
               "  Only paths through {}: {} of {}, {}; percentages are of that.{}",
               printable(subject.focus), format_value(unit, overview.total),
               format_value(unit, subject.whole), format_percent(share),
               overview.profile.paths_are_estimated ? " Call paths are estimated." : "")) +
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
