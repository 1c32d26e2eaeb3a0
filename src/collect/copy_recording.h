// How much the program copies, as the library before memcpy tells of it, for the recording: by the
// line that copies, in every thread. Works beside the recording of memory, to which it belongs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "collect/copy_thread.h"
#include "collect/memory_recording.h"
#include "collect/recorder.h"
#include "collect/tree_nodes.h"
#include "collect/write_pace.h"
#include "os/copies_table.h"

namespace pyrometer {

class CopyRecording {
 public:
  // One at a time tells the library of itself; a forked child makes a new one.
  CopyRecording(const pyrometer_copies_table& library, const MemoryRecording& memory,
                const FrameContext& context);
  void start(Recorder& recorder);
  // The library tells nobody any more. Who is being told keeps on, so this is never destroyed.
  void stop() const;

  // What is copied in between is not recorded.
  void pause() { is_paused_.store(true, std::memory_order_relaxed); }
  void resume() { is_paused_.store(false, std::memory_order_relaxed); }

  // What the calling thread copies from now on is ours.
  static void ignore_own_thread();

  // ---- for the session's thread
  // Of code that is ours, not the program's.
  std::uintptr_t library_address() const {
    return reinterpret_cast<std::uintptr_t>(library_.agent_came);
  }
  using FindThread = std::function<std::optional<std::uint32_t>(int tid)>;
  // Soon enough that threads which have just ended are still known.
  void meet_threads(const FindThread& find_thread);
  // Everything that changed since the last time.
  void write(std::int64_t now, bool is_last, Recorder& recorder, const FindThread& find_thread,
             const std::function<void()>& drain_codes);

 private:
  struct Recorded {
    std::unique_ptr<CopyThread> thread;
    TreeNodes nodes;
    std::map<std::uint32_t, CopyTotals> written;  // by node of the recording
    std::optional<std::uint32_t> recorded_as;
  };
  struct Written {
    std::size_t bytes = 0;  // before compression
    bool is_whole = true;
  };

  static std::int64_t on_copy(std::size_t bytes, const void* caller);
  std::int64_t hear_of(std::size_t bytes, std::uintptr_t caller);
  bool is_programs(std::uintptr_t caller) const;
  void add(double bytes, double copies);
  CopyThread* meet_thread();
  static Written write_thread(Recorded& recorded, std::int64_t now, Recorder& recorder,
                              const std::function<void()>& drain_codes);

  const pyrometer_copies_table& library_;
  const MemoryRecording& memory_;
  const FrameContext& context_;
  std::uintptr_t own_begin_ = 0, own_end_ = 0;  // our code
  std::atomic<bool> is_paused_{false};
  std::mutex mutex_;  // of the list
  std::vector<std::unique_ptr<Recorded>> threads_;
  WritePace pace_;  // of the session's thread
};

}  // namespace pyrometer
