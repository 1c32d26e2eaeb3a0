#include "collect/options.h"

#include <algorithm>
#include <cstdlib>

#include "os/launch_identity.h"

namespace pyrometer {

std::optional<AgentOptions> read_agent_options() {
  const auto directory = own_environment("PYROMETER_RUN");
  // A run that was removed or moved is over, for a daemon that still has our variables, too.
  std::error_code error;
  if (!directory || !std::filesystem::is_directory(*directory, error)) return std::nullopt;
  AgentOptions options;
  options.run_directory = *directory;
  options.launch = own_environment("PYROMETER_LAUNCH").value_or("");
  options.notices = own_environment("PYROMETER_NOTICES").value_or("");
  if (const auto rate = own_environment("PYROMETER_RATE")) {
    const long asked = std::strtol(rate->c_str(), nullptr, 10);
    if (asked > 0) {
      options.rate = std::clamp(asked, 1L, 20'000L);
      options.rate_is_fixed = true;
    }
  }
  options.counts_calls = own_environment("PYROMETER_EXACT").has_value();
  options.counts_all_callables = own_environment("PYROMETER_C_CALLABLES") == "all";
  options.subtracts_cost = own_environment("PYROMETER_CALIBRATE").has_value();
  options.throttles = own_environment("PYROMETER_THROTTLE").has_value();
  if (const auto size = own_environment("PYROMETER_TIMELINE")) {
    constexpr long kMost = 100'000'000;
    options.timeline =
        static_cast<std::uint32_t>(std::clamp(std::strtol(size->c_str(), nullptr, 10), 0L, kMost));
  }
  if (const auto lines = own_environment("PYROMETER_LINES")) {
    options.measures_lines = true;
    for (std::size_t begin = 0; begin < lines->size();) {
      const std::size_t end = std::min(lines->find('\n', begin), lines->size());
      if (end > begin) options.line_targets.push_back(lines->substr(begin, end - begin));
      begin = end + 1;
    }
  }
  options.hot_lines = std::erase(options.line_targets, "hot") > 0;
  options.line_imports = own_environment("PYROMETER_LINES_IMPORTS").has_value();
  const std::string clock = own_environment("PYROMETER_CLOCK").value_or("");
  options.use_perf = clock != "timer";
  options.use_cpu_timers = clock != "perf";
  return options;
}

}  // namespace pyrometer
