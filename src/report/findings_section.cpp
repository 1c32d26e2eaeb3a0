#include "analyze/findings/findings.h"
#include "base/printable.h"
#include "report/sections.h"

namespace pyrometer {

std::string findings_section(const ReportSubject& subject, const Style& style) {
  std::string out;
  for (const Finding& finding : find_all(subject.overview)) {
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    // Their shares are of the whole program; there is only a part of it here.
    if (!is_warning && !subject.is_whole()) continue;
    const std::string sentence = printable(finding.sentence);
    out += is_warning ? style.yellow("  ! " + sentence) : "  • " + sentence;
    out += '\n';
  }
  return out;
}

}  // namespace pyrometer
