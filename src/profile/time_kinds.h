// The kinds of time that a thread spends. They exclude one another: together they make up its
// wall time, and those on the CPU make up its CPU time.
#pragma once

#include <array>
#include <string_view>

#include "profile/metric.h"

namespace pyrometer {

inline constexpr std::array kCpuKinds = {metric::kPython, metric::kNative, metric::kSystem};
inline constexpr std::array kOtherKinds = {
    metric::kGilWait, metric::kLockWait, metric::kMpi,  metric::kIo,
    metric::kSleep,   metric::kRunnable, metric::kIdle,
};

}  // namespace pyrometer
