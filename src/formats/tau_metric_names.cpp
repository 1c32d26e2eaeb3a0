#include "formats/tau_metric_names.h"

#include <algorithm>
#include <iterator>

namespace pyrometer {
namespace {

constexpr std::string_view kWall = "wall";
constexpr std::string_view kCpu = "cpu";
// CPU_TIME would be "time" for Hatchet, as TIME is.
constexpr std::string_view kCpuTime = "THREAD_CPU_TIME";
constexpr std::string_view kWallNames[] = {
    "TIME",        "GET_TIME_OF_DAY", "GETTIMEOFDAY", "WALL_CLOCK_TIME", "P_WALL_CLOCK_TIME",
    "LINUX_TIMERS"};
constexpr std::string_view kCpuNames[] = {kCpuTime, "CPU_TIME", "P_VIRTUAL_TIME"};
constexpr std::string_view kTimes[] = {"python",    "native", "system", "runnable", "gil-wait",
                                       "lock-wait", "mpi",    "io",     "sleep",    "idle"};
constexpr std::string_view kBytes[] = {"allocated",      "freed",           "live",
                                       "peak",           "memory",          "increment",
                                       "line-peak",      "temporary",       "untouched",
                                       "copied",         "live-native",     "live-numpy",
                                       "line-temporary", "allocated-numpy", "allocated-native",
                                       "peak-numpy",     "peak-native"};
constexpr std::string_view kSuffix = "_TIME";

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

TauMetricName read_tau_metric_name(std::string_view tau) {
  const std::string name = upper(tau);
  if (is_one_of(kWallNames, name)) return {std::string(kWall), Unit::kNanoseconds};
  if (is_one_of(kCpuNames, name)) return {std::string(kCpu), Unit::kNanoseconds};
  if (is_one_of(kBytes, lower(tau))) return {lower(tau), Unit::kBytes};
  if (name.ends_with(kSuffix)) {
    const std::string own = lower(tau.substr(0, tau.size() - kSuffix.size()));
    if (is_one_of(kTimes, own)) return {own, Unit::kNanoseconds};
  }
  const bool is_time = name.find("TIME") != std::string::npos;
  return {std::string(tau), is_time ? Unit::kNanoseconds : Unit::kCount};
}

std::string write_tau_metric_name(std::string_view name, Unit unit) {
  if (name == kWall) return "TIME";
  if (name == kCpu) return std::string(kCpuTime);
  if (unit != Unit::kNanoseconds) return is_one_of(kBytes, name) ? upper(name) : std::string(name);
  const bool says_so = upper(name).find("TIME") != std::string::npos;
  return says_so ? std::string(name) : upper(name) + std::string(kSuffix);
}

}  // namespace pyrometer
