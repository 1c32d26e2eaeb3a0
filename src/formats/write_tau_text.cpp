#include <fmt/format.h>

#include "formats/tau_metadata.h"
#include "formats/tau_profile.h"

namespace pyrometer {
namespace {

// The first line ends where the name does.
std::string on_one_line(std::string name) {
  for (char& character : name) {
    if (static_cast<unsigned char>(character) < ' ') character = '_';
  }
  return name;
}

}  // namespace

std::string write_tau_text(const TauProfile& profile, const TauThread& thread, std::size_t metric) {
  const std::string name = on_one_line(profile.metrics[metric]);
  // Readers take the first value for the metric's name.
  TauMetadata metadata{{"Metric Name", name}};
  metadata.insert(metadata.end(), profile.metadata.begin(), profile.metadata.end());
  metadata.insert(metadata.end(), thread.metadata.begin(), thread.metadata.end());
  std::string text = fmt::format(
      "{} templated_functions_MULTI_{}\n# Name Calls Subrs Excl Incl ProfileCalls # {}\n",
      thread.rows.size(), name, write_tau_metadata(metadata));
  for (std::size_t i = 0; i < thread.rows.size(); ++i) {
    const TauRow& row = thread.rows[i];
    const TauFunction& function = profile.functions[row.function];
    const TauValue value = thread.value(metric, i);
    text +=
        fmt::format("\"{}\" {:.16G} {:.16G} {:.16G} {:.16G} 0 GROUP=\"{}\" \n", function.name,
                    row.calls, row.subroutines, value.exclusive, value.inclusive, function.groups);
  }
  text += "0 aggregates\n";
  if (thread.events.empty()) return text;
  text += fmt::format("{} userevents\n# eventname numevents max min mean sumsqr\n",
                      thread.events.size());
  for (const TauEvent& event : thread.events) {
    text +=
        fmt::format("\"{}\" {:.16G} {:.16G} {:.16G} {:.16G} {:.16G}\n", profile.events[event.name],
                    event.count, event.largest, event.smallest, event.mean, event.sum_of_squares);
  }
  return text;
}

std::string tau_metric_folder(std::string_view metric) {
  constexpr std::string_view kReplaced = "/\\?%*:|\"<>= ";
  std::string name = "MULTI__";
  for (const char character : metric) {
    name += kReplaced.find(character) == std::string_view::npos ? character : '_';
  }
  return name;
}

}  // namespace pyrometer
