// Lines that one rank runs while the others wait, and how far that lets the program scale.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_words.h"
#include "analyze/ranks/serial_lines.h"

namespace pyrometer {

std::vector<Finding> find_serial_sections(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankFacts& facts = *overview.ranks;
  const SerialLines serial = find_serial_lines(facts);
  if (serial.lines.empty()) return {};
  const SerialLine& first = serial.lines.front();
  const CodeLine& place = facts.items.lines[first.line];
  std::string sentence = fmt::format(
      "{} runs on rank {} alone, {}, {:.1f} % of the job", line_words(overview.profile, place),
      facts.number(first.rank), time_words(static_cast<double>(first.time)), 100 * first.share);
  if (serial.lines.size() > 1) {
    sentence += fmt::format(", and so do {} more lines, {:.1f} % in all", serial.lines.size() - 1,
                            100 * serial.share);
  }
  // Of lines that one rank runs beside another's, shares may add up to more than the job.
  if (serial.share < 1) {
    sentence += fmt::format(
        ": however many ranks, the program cannot get more than {:.1f} times "
        "as fast as one rank",
        serial.ceiling());
  }
  return {{Finding::Kind::kHint, "serial-line", sentence + ".", serial.share, place.function,
           place.line, fmt::format("{} lines, {} ranks", serial.lines.size(), facts.ranks())}};
}

}  // namespace pyrometer
