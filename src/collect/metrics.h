// What one moment of a thread is worth, by kind of time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyrometer {

enum class TimeKind : std::uint8_t {
  kWall,
  kCpu,
  kPython,
  kNative,
  kSystem,
  kRunnable,
  kGilWait,
  kLockWait,
  kIo,
  kSleep,
  kIdle,
  kMpi,
};
inline constexpr std::size_t kTimeKinds = 12;

// As profiles call them.
inline constexpr std::array<std::string_view, kTimeKinds> kTimeKindNames = {
    "wall",     "cpu",       "python", "native", "system", "runnable",
    "gil-wait", "lock-wait", "io",     "sleep",  "idle",   "mpi"};

class TimeValues {
 public:
  std::int64_t& operator[](TimeKind kind) { return values_[static_cast<std::size_t>(kind)]; }
  std::int64_t operator[](TimeKind kind) const { return values_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<std::int64_t, kTimeKinds> values_{};
};

}  // namespace pyrometer
