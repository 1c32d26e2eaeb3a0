// Which task of asyncio a stack of frames belongs to. Its coroutine is what the event loop's
// `Handle._run` calls; where another loop runs it, it is known by where it keeps its frame, if a
// visit met the task before (task_watch.h). find() may run in signal handlers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "cpython/walk.h"

namespace pyrometer {

class TaskFinder {
 public:
  // `run` is the code object of Handle._run, 0 while there is no asyncio. `step_offset` is where a
  // thread's state counts steps of tasks; 0: nowhere.
  void prepare(std::uintptr_t run, std::size_t step_offset) {
    step_offset_.store(step_offset, std::memory_order_relaxed);
    run_.store(run, std::memory_order_release);
  }
  std::size_t step_offset() const { return step_offset_.load(std::memory_order_relaxed); }

  // The coroutine with this frame belongs to a task of that kind. Few of many are forgotten, as
  // they share their places with others.
  void remember(std::uintptr_t frame, std::uint16_t kind) {
    place_of(frame).store(static_cast<std::uint64_t>(frame) << 16U | kind,
                          std::memory_order_relaxed);
  }

  // 0: not met yet.
  std::uint16_t kind_of(std::uintptr_t frame) const {
    const std::uint64_t held = places_[index(frame)].load(std::memory_order_relaxed);
    return held >> 16U == frame ? static_cast<std::uint16_t>(held) : 0;
  }
  void forget_all() {
    for (auto& place : places_) place.store(0, std::memory_order_relaxed);
  }

  // Numbers of frames, counted from the leaf.
  struct Found {
    std::size_t coroutine = 0;  // the task's own
    std::size_t innermost = 0;  // the last of those that it awaits
    std::uintptr_t frame = 0;   // where the coroutine keeps it
  };
  std::optional<Found> find(std::span<const RawFrame> frames) const {
    const std::uintptr_t run = run_.load(std::memory_order_acquire);
    if (run == 0) return std::nullopt;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      if (frames[i].code == run && frames[i - 1].generator != 0) return found(frames, i - 1);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames[i].generator != 0 && kind_of(frames[i].generator) != 0) return found(frames, i);
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned kPlaceBits = 13;

  std::atomic<std::uint64_t>& place_of(std::uintptr_t frame) { return places_[index(frame)]; }
  static std::size_t index(std::uintptr_t frame) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    return (frame * kOdd) >> (64U - kPlaceBits);
  }
  Found found(std::span<const RawFrame> frames, std::size_t coroutine) const {
    Found found{
        .coroutine = coroutine, .innermost = coroutine, .frame = frames[coroutine].generator};
    while (found.innermost > 0 && frames[found.innermost - 1].generator != 0) --found.innermost;
    return found;
  }

  std::atomic<std::uintptr_t> run_{0};
  std::atomic<std::size_t> step_offset_{0};
  std::array<std::atomic<std::uint64_t>, std::size_t{1} << kPlaceBits> places_{};
};

}  // namespace pyrometer
