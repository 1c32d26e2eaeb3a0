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
inline constexpr std::string_view kMpiTime = "mpi-time";  // in MPI by the clock, not by samples
inline constexpr std::string_view kMpiWait = "mpi-wait";  // of that, waiting for other ranks
inline constexpr std::string_view kMpiCalls = "mpi-calls";
inline constexpr std::string_view kMpiBytes = "mpi-bytes";  // handed over by the caller
inline constexpr std::string_view kIo = "io";
inline constexpr std::string_view kSleep = "sleep";
inline constexpr std::string_view kIdle = "idle";
// Of tasks of asyncio, in trees of their own: beside the times above, not among them.
inline constexpr std::string_view kTasks = "tasks";  // that were seen
inline constexpr std::string_view kAwait = "await";  // suspended
inline constexpr std::string_view kTaskWork = "task-work";
inline constexpr std::string_view kTaskBlocked = "task-blocked";
inline constexpr std::string_view kTaskStep = "task-step";  // longest without letting others run
inline constexpr std::string_view kCalls = "calls";
inline constexpr std::string_view kPrimitiveCalls = "primitive-calls";
inline constexpr std::string_view kHits = "hits";
inline constexpr std::string_view kLineTime = "line-time";        // of a line with what it calls
inline constexpr std::string_view kLineReturns = "line-returns";  // hits inside a statement
inline constexpr std::string_view kLineSelf = "line-self";   // without measured functions it calls
inline constexpr std::string_view kMemory = "memory";        // of the process, the most seen
inline constexpr std::string_view kIncrement = "increment";  // of that, by a line
inline constexpr std::string_view kLinePeak = "line-peak";   // above the line's beginning
inline constexpr std::string_view kLineTemporary = "line-temporary";  // freed within the line
inline constexpr std::string_view kAllocated = "allocated";           // bytes, ever
inline constexpr std::string_view kAllocations = "allocations";
inline constexpr std::string_view kFreed = "freed";
inline constexpr std::string_view kLive = "live";  // bytes, at the end
inline constexpr std::string_view kLiveBlocks = "live-blocks";
inline constexpr std::string_view kPeak = "peak";            // bytes, when the process had most
inline constexpr std::string_view kTemporary = "temporary";  // bytes, soon freed again
inline constexpr std::string_view kUntouched = "untouched";  // of what is live, never used
inline constexpr std::string_view kCopied = "copied";        // bytes, by memcpy and its relatives
inline constexpr std::string_view kCopies = "copies";
// The parts of allocated, live and peak that NumPy and other native libraries asked for; the rest
// is Python's.
inline constexpr std::string_view kAllocatedNumpy = "allocated-numpy";
inline constexpr std::string_view kAllocatedNative = "allocated-native";
inline constexpr std::string_view kLiveNumpy = "live-numpy";
inline constexpr std::string_view kLiveNative = "live-native";
inline constexpr std::string_view kPeakNumpy = "peak-numpy";
inline constexpr std::string_view kPeakNative = "peak-native";
}  // namespace metric

// Values over time that the reports know.
namespace counter_name {
inline constexpr std::string_view kMemory = "memory";  // resident
inline constexpr std::string_view kHeap = "heap";      // asked for and not given back
}  // namespace counter_name

// What a process says about its memory.
namespace memory_attribute {
inline constexpr std::string_view kMode = "memory.mode";
inline constexpr std::string_view kSampleBytes = "memory.sample-bytes";
inline constexpr std::string_view kHeapPeak = "memory.heap-peak";
inline constexpr std::string_view kHeapPeakTime = "memory.heap-peak-time";
inline constexpr std::string_view kResidentPeak = "memory.rss-peak";
inline constexpr std::string_view kLimit = "memory.limit";
inline constexpr std::string_view kCgroupPeak = "memory.cgroup-peak";
inline constexpr std::string_view kPhysical = "memory.physical";
inline constexpr std::string_view kSizes = "memory.sizes";
inline constexpr std::string_view kCopySampleBytes = "copies.sample-bytes";
}  // namespace memory_attribute

}  // namespace pyrometer
