#include "collect/options.h"

#include <algorithm>
#include <cstdlib>

#include "base/rank_set.h"
#include "os/rank.h"

namespace pyrometer {
namespace {

bool is_left_out(const std::string& wanted_ranks) {
  if (wanted_ranks.empty()) return false;
  const auto ranks = RankSet::parse(wanted_ranks);
  const auto rank = detect_rank(own_environment);
  return ranks && rank && !ranks->contains(rank->rank);
}

// Those that are not empty.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::optional<AgentOptions> read_agent_options() {
  const auto directory = own_environment("PYROMETER_RUN");
  // A run that was removed or moved is over, for a daemon that still has our variables, too.
  std::error_code error;
  if (!directory || !std::filesystem::is_directory(*directory, error)) return std::nullopt;
  AgentOptions options;
  options.ranks = own_environment("PYROMETER_RANKS").value_or("");
  if (is_left_out(options.ranks)) return std::nullopt;
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
    options.line_targets = lines_of(*lines);
  }
  for (const std::string& text : lines_of(own_environment("PYROMETER_REGIONS").value_or(""))) {
    if (auto target = parse_region_target(text)) options.regions.push_back(*std::move(target));
  }
  options.hot_lines = std::erase(options.line_targets, "hot") > 0;
  options.line_imports = own_environment("PYROMETER_LINES_IMPORTS").has_value();
  if (const auto memory = own_environment("PYROMETER_MEMORY")) {
    options.memory = *memory == "exact"     ? MemoryMode::kExact
                     : *memory == "objects" ? MemoryMode::kObjects
                                            : MemoryMode::kSampled;
  }
  options.counts_copies = own_environment("PYROMETER_COPIES").has_value();
  options.begins_paused = own_environment("PYROMETER_PAUSED").has_value();
  const std::string clock = own_environment("PYROMETER_CLOCK").value_or("");
  options.use_perf = clock != "timer";
  options.use_cpu_timers = clock != "perf";
  options.use_traps = clock == "trap";
  return options;
}

}  // namespace pyrometer
