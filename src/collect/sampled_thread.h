// One thread of the program. Three parties touch it: its own signal handler (sampling it),
// the session's thread (draining it, watching it sleep, changing its timer), and the thread
// itself when it begins and ends. What more than one of them writes is atomic.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "collect/call_tree.h"
#include "collect/mpi_thread.h"
#include "collect/sample_ring.h"
#include "cpython/walk.h"
#include "os/pages.h"
#include "os/thread_timer.h"

namespace pyrometer {

struct SampledThread {
  static constexpr std::size_t kDeepest = 2048;  // frames of one sample; deeper ones are cut
  static constexpr std::int64_t kNotKnown = -1;

  // `rate` in samples per second.
  SampledThread(int thread_id, std::int64_t rate)
      : tid(thread_id), samples(ring_capacity(rate)), frame_pages(kFrameBytes) {}

  const int tid;
  std::string kind;               // what threads that do the same have in common
  std::int64_t first_period = 0;  // until the first tick; 0: as any other

  // ---- the handler's
  CallTree tree;
  SampleRing samples;
  Pages frame_pages;
  std::int64_t last_cpu = 0, last_system = 0;  // the latter may be kNotKnown until the first tick
  std::uint64_t ticks = 7;                     // so that the first one sets a period
  std::uint64_t random = 0x2545f4914f6cdd1dULL;
  std::uint32_t breathless = 0;  // ticks in a row that left no time for the thread's own work
  std::int64_t slowdown = 1;     // how many times longer its periods are, so that there is some
  std::atomic<std::uint64_t> taken{0}, rejected{0}, lost{0};
  std::atomic<std::int64_t> handler_time{0};
  std::atomic<std::int64_t> sampled_cpu{0};  // as of the last tick
  std::atomic<std::int64_t> sampled_system{0};

  // ---- set by the thread itself or its handler, read by the session
  std::atomic<std::uintptr_t> thread_state{0};  // 0: none, or one that is going away
  std::atomic<std::uintptr_t> stack_high{0};    // 0: not known yet
  std::atomic<std::uintptr_t> stack_seen{0};    // a stack pointer, to learn the bounds from
  std::atomic<bool> has_ended{false};
  std::atomic<std::int64_t> with_us_since{0};  // while it waits for us, which is no wait of its own
  std::atomic<const MpiThread*> mpi{nullptr};  // set once it called MPI

  std::int64_t was_with_us = 0;  // ns until then: under the session's lock
  std::int64_t time_with_us(std::int64_t now) const {
    const std::int64_t since = with_us_since.load(std::memory_order_acquire);
    return was_with_us + (since == 0 ? 0 : std::max<std::int64_t>(now - since, 0));
  }

  // ---- the timers: under the session's lock
  std::optional<ThreadTimer> timer;
  std::optional<ThreadTimer> kernel_timer;   // beside a perf timer, see timer_choice.h
  std::atomic<int> perf_descriptor{-1};      // of the timer, for the handler to vary its period
  std::atomic<std::int64_t> perf_period{0};  // in force now
  std::atomic<bool> has_kernel_timer{false};

  std::span<RawFrame> frames() const {
    return {reinterpret_cast<RawFrame*>(frame_pages.data()), kDeepest};
  }

 private:
  static constexpr std::size_t kFrameBytes = kDeepest * sizeof(RawFrame);

  // Enough for a second, although it is drained ten times in one: on a busy machine our own thread
  // may have to wait.
  static std::size_t ring_capacity(std::int64_t rate) {
    std::size_t capacity = 128;
    while (capacity < static_cast<std::size_t>(rate)) capacity *= 2;
    return capacity;
  }
};

}  // namespace pyrometer
