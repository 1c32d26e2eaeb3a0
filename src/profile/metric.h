// What is measured. A profile carries its own table of metrics, so that a new engine
// needs no new format; these are the names the reports know.
#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/kinds.h"

namespace pyrometer {

struct Metric {
  std::string name;
  Unit unit = Unit::kCount;
  Combine combine = Combine::kSum;
  friend bool operator==(const Metric&, const Metric&) = default;
};
using MetricId = Id<Metric>;

namespace metric {
inline constexpr std::string_view kSamples = "samples";
inline constexpr std::string_view kStackSamples = "stack-samples";  // seen anywhere on the stack
inline constexpr std::string_view kWall = "wall";
inline constexpr std::string_view kCpu = "cpu";
inline constexpr std::string_view kPython = "python";
inline constexpr std::string_view kNative = "native";
inline constexpr std::string_view kSystem = "system";
inline constexpr std::string_view kRunnable = "runnable";
inline constexpr std::string_view kGilWait = "gil-wait";
inline constexpr std::string_view kLockWait = "lock-wait";
inline constexpr std::string_view kMpi = "mpi";
inline constexpr std::string_view kIo = "io";
inline constexpr std::string_view kSleep = "sleep";
inline constexpr std::string_view kIdle = "idle";
inline constexpr std::string_view kCalls = "calls";
inline constexpr std::string_view kPrimitiveCalls = "primitive-calls";
inline constexpr std::string_view kHits = "hits";
inline constexpr std::string_view kLineTime = "line-time";        // of a line with what it calls
inline constexpr std::string_view kLineReturns = "line-returns";  // hits inside a statement
inline constexpr std::string_view kLineSelf = "line-self";   // without measured functions it calls
inline constexpr std::string_view kMemory = "memory";        // of the process, the most seen
inline constexpr std::string_view kIncrement = "increment";  // of that, by a line
inline constexpr std::string_view kAllocated = "allocated";
inline constexpr std::string_view kFreed = "freed";
inline constexpr std::string_view kLive = "live";
inline constexpr std::string_view kPeak = "peak";
}  // namespace metric

}  // namespace pyrometer
