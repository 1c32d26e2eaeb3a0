// The clocks a sampler lives by. All reads are async-signal-safe.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <cstdint>

namespace pyrometer {

inline std::int64_t read_clock(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return -1;
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline std::int64_t monotonic_now() { return read_clock(CLOCK_MONOTONIC); }
inline std::int64_t own_thread_cpu() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
inline std::int64_t process_cpu() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

// The CPU clock of any thread of this process, by the kernel's own numbering (what
// pthread_getcpuclockid computes, for threads that are not ours to name).
inline clockid_t thread_cpu_clock(int tid) {
  constexpr int kPerThread = 4;
  constexpr int kScheduler = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3U) | kPerThread | kScheduler);
}

// -1 when the thread is gone.
inline std::int64_t thread_cpu(int tid) { return read_clock(thread_cpu_clock(tid)); }

// What the calling thread spent inside the kernel, in ns.
inline std::int64_t own_system_time() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<std::int64_t>(usage.ru_stime.tv_sec) * 1'000'000'000 +
         static_cast<std::int64_t>(usage.ru_stime.tv_usec) * 1'000;
}

}  // namespace pyrometer
