// What the recorder itself had to say, and what could not be read.
#include <fmt/format.h>

#include <map>

#include "analyze/findings/findings.h"

namespace pyrometer {

std::vector<Finding> find_recorder_messages(const Overview& overview) {
  std::vector<Finding> findings;
  for (const std::string& note : overview.profile.notes) {
    findings.push_back({Finding::Kind::kWarning, "note", note + "."});
  }
  // A thousand ranks may say the same: it is one sentence.
  std::map<std::string, std::size_t> warnings;
  for (const Message& message : overview.profile.messages) {
    if (message.level != MessageLevel::kInfo) ++warnings[message.text];
  }
  for (const auto& [text, count] : warnings) {
    const std::string times = count > 1 ? fmt::format(" ({} times)", count) : "";
    findings.push_back(
        {Finding::Kind::kWarning, "recorder", fmt::format("Recorder: {}{}", text, times)});
  }
  return findings;
}

}  // namespace pyrometer
