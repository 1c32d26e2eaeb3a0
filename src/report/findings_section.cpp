#include "analyze/findings/findings.h"
#include "base/printable.h"
#include "report/sections.h"

namespace pyrometer {

std::string findings_section(const Overview& overview, const Style& style) {
  std::string out;
  for (const Finding& finding : find_all(overview)) {
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    const std::string sentence = printable(finding.sentence);
    out += is_warning ? style.yellow("  ! " + sentence) : "  • " + sentence;
    out += '\n';
  }
  return out;
}

}  // namespace pyrometer
