// The words that recordings and profiles share. The numbers are part of the recording
// format: they may be added to, never changed.
#pragma once

#include <cstdint>
#include <string_view>

namespace pyrometer {

enum class Unit : std::uint8_t { kCount = 0, kNanoseconds = 1, kBytes = 2 };

// How values of one metric from several threads or processes make one value.
enum class Combine : std::uint8_t { kSum = 0, kMax = 1 };

enum class FunctionKind : std::uint8_t {
  kPython = 0,
  kBuiltin = 1,  // a C function called from Python
  kNative = 2,   // native code, symbolised or module + offset
  kLabel = 3,    // not code: "waiting for the GIL", a system call, a folded path
  kRegion = 4,   // a named region of the program, among the frames of a path; in no recording
};

enum class ThreadClass : std::uint8_t { kMain = 0, kPython = 1, kNative = 2 };

// How the recording of a process ends.
enum class ProcessStatus : std::uint8_t { kFinished, kKilled, kTruncated, kDamaged };

enum class MessageLevel : std::uint8_t { kInfo = 0, kWarning = 1, kError = 2 };

enum class WaitKind : std::uint8_t {
  kGil = 0,
  kMutex = 1,
  kCondition = 2,
  kSemaphore = 3,
  kFile = 4,
  kSocket = 5,
  kMpi = 6,
  kOther = 7,
};

constexpr std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::kCount: return "count";
    case Unit::kNanoseconds: return "ns";
    case Unit::kBytes: return "bytes";
  }
  return "?";
}

constexpr std::string_view name_of(Combine combine) {
  return combine == Combine::kMax ? "max" : "sum";
}

constexpr std::string_view name_of(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::kPython: return "python";
    case FunctionKind::kBuiltin: return "builtin";
    case FunctionKind::kNative: return "native";
    case FunctionKind::kLabel: return "label";
    case FunctionKind::kRegion: return "region";
  }
  return "?";
}

constexpr std::string_view name_of(ThreadClass thread_class) {
  switch (thread_class) {
    case ThreadClass::kMain: return "main";
    case ThreadClass::kPython: return "python";
    case ThreadClass::kNative: return "native";
  }
  return "?";
}

constexpr std::string_view name_of(ProcessStatus status) {
  switch (status) {
    case ProcessStatus::kFinished: return "finished";
    case ProcessStatus::kKilled: return "killed";
    case ProcessStatus::kTruncated: return "truncated";
    case ProcessStatus::kDamaged: return "damaged";
  }
  return "?";
}

constexpr std::string_view name_of(MessageLevel level) {
  switch (level) {
    case MessageLevel::kInfo: return "info";
    case MessageLevel::kWarning: return "warning";
    case MessageLevel::kError: return "error";
  }
  return "?";
}

}  // namespace pyrometer
