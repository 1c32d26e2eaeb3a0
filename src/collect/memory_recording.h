// What the program does with memory, as the library before malloc tells of it, for the recording:
// by the line that allocates, in every thread. Works beside samples, counted calls and lines.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collect/allocation_window.h"
#include "collect/memory_curve.h"
#include "collect/memory_ledger.h"
#include "collect/options.h"
#include "collect/own_places.h"
#include "collect/recorder.h"
#include "collect/tree_nodes.h"
#include "collect/write_pace.h"
#include "os/loaded_modules.h"

namespace pyrometer {

// A thread that a block was recorded of, as it knows itself.
class MemoryThread {
 public:
  MemoryThread(int thread_id, std::uint32_t thread_number)
      : tid(thread_id), number(thread_number), places(kShortcutBits, kMostNodes) {}

  const int tid;
  const std::uint32_t number;
  OwnPlaces places;
  std::atomic<bool> has_ended{false};

 private:
  static constexpr unsigned kShortcutBits = 12;
  // Where every block is told of, importing some large packages takes more than a hundred thousand.
  static constexpr std::uint32_t kMostNodes = 4 * CallTree::kMostNodes;
};

class MemoryRecording {
 public:
  // One at a time tells the library of itself; a forked child makes a new one.
  MemoryRecording(const pyrometer_memory_table& library, const FrameContext& context,
                  MemoryMode mode);
  void start(Recorder& recorder);
  // The library tells nobody any more. Who is being told keeps on, so this is never destroyed.
  void stop() const;

  // What is allocated in between is not recorded; what goes is.
  void pause() { is_paused_.store(true, std::memory_order_relaxed); }
  void resume() { is_paused_.store(false, std::memory_order_relaxed); }
  // By the thread that forks, whoever makes it. The child is not told of anything until it starts
  // its own: whoever changed the tables meanwhile does not exist there.
  static void before_fork();
  void after_fork(bool is_child);

  // By whoever is told something, before it changes anything.
  void review_end();

  // Until end_window() every block that is made is followed, of all threads or of this one, and
  // every object, if the end of each is heard. False: somebody else's window is open.
  bool begin_window(bool of_own_thread, bool hears_objects);
  struct WindowPlace {
    std::int64_t at_peak = 0, live = 0, live_blocks = 0;
    std::vector<Recorder::SourcePlace> stack;  // the innermost first
  };
  struct WindowFigures {
    std::int64_t peak = 0;
    std::vector<WindowPlace> places;
  };
  // Of `most` places that held most, and as many that still do. Nothing when no window is open.
  std::optional<WindowFigures> end_window(std::size_t most, const Recorder& recorder,
                                          const std::function<void()>& drain_codes);

  // Memory that the calling thread uses meanwhile is ours.
  class OwnMemory {
   public:
    explicit OwnMemory(const MemoryRecording& recording)
        : own_(*recording.library_.own_thread()), before_(own_.is_inside) {
      own_.is_inside = 1;
    }
    ~OwnMemory() { own_.is_inside = before_; }
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;

   private:
    pyrometer_thread_memory& own_;
    const std::uint32_t before_;
  };

  // ---- for the session's thread
  CodeTable* codes() const { return context_.codes; }
  // Memory that the calling thread uses from now on is ours.
  void ignore_own_thread() const;
  // Whether there is much more or less of it than the last time.
  bool look(std::int64_t now) {
    clock_.store(now, std::memory_order_relaxed);
    library_.follow_imports();
    return curve_.look(now, library_.heap());
  }

  // Of code that is ours, not the program's.
  std::uintptr_t library_address() const {
    return reinterpret_cast<std::uintptr_t>(library_.agent_came);
  }

  struct Tools {
    Recorder& recorder;
    const LoadedModules& modules;
    const std::function<std::optional<std::uint32_t>(int tid)>& find_thread;
    const std::function<void()>& drain_codes;
  };
  // Everything that changed since the last time.
  void write(std::int64_t now, bool is_last, const Tools& tools);

 private:
  enum class Owner : std::uint8_t { kPython, kNumpy, kNative };
  struct Recorded {
    std::unique_ptr<MemoryThread> thread;  // none: it ended, and every site is known
    TreeNodes nodes;
    std::optional<std::uint32_t> recorded_as;
  };
  struct KnownSite {
    std::optional<std::uint32_t> node;
    std::uint32_t thread = 0;  // of the recording
    Owner owner = Owner::kPython;
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // thread and node of the recording

  static bool is_in_fork();
  template <class Do>
  static std::int64_t or_nothing(Do&& work);
  static std::int64_t on_block(const void* block, std::size_t size, pyrometer_block_kind kind,
                               const void* caller);
  static void on_block_end(const void* block);
  static void on_mapping(const void* begin, std::size_t size, const void* caller);
  static std::int64_t on_unmapping(const void* begin, std::size_t size);
  static void on_peak(std::int64_t heap);

  std::int64_t sample(const void* block, std::size_t size, pyrometer_block_kind kind,
                      std::uintptr_t caller);
  bool is_exact(pyrometer_block_kind kind) const;
  // As the session's thread last looked at it: near enough for how long blocks live.
  std::int64_t clock() const { return clock_.load(std::memory_order_relaxed); }
  std::uint32_t find_site(std::uintptr_t caller);
  MemoryThread* own_memory_thread();
  MemoryThread* meet_thread();
  // Where a window is open.
  template <class Do>
  void in_window(Do&& work);
  bool counts_in_window(const MemoryThread* thread) const {
    return window_thread_ == nullptr || window_thread_ == thread;
  }
  std::vector<WindowPlace> describe_places(const std::vector<AllocationWindow::Place>& sites,
                                           std::size_t most, const Recorder& recorder);
  std::vector<Recorder::SourcePlace> stack_of(std::uint32_t thread, std::uint32_t node,
                                              const Recorder& recorder) const;

  Owner owner_of(std::uintptr_t caller, const Tools& tools);
  void learn_site(std::size_t number, const Tools& tools, std::int64_t now);
  std::optional<std::uint32_t> node_of(Recorded& recorded, const LedgerSiteKey& key, Owner owner,
                                       const Tools& tools);
  void forget_ended_threads();
  void review_untouched(bool is_last, std::int64_t now);
  // These return how much they wrote, in bytes before compression.
  std::size_t write_totals(std::int64_t now, const Tools& tools);
  std::size_t write_live(std::int64_t now, Recorder& recorder);
  std::size_t write_attributes(std::int64_t now, bool is_last, Recorder& recorder);

  const pyrometer_memory_table& library_;
  const FrameContext context_;  // who is being told when it ends still reads frames
  const MemoryMode mode_;
  const pid_t process_ = getpid();
  MemoryLedger ledger_;
  std::atomic<std::int64_t> clock_;
  std::atomic<bool> is_paused_{false};
  MemoryCurve curve_;
  std::mutex threads_mutex_;
  std::vector<Recorded> threads_;
  std::atomic<bool> has_window_{false}, has_object_window_{false};
  std::mutex window_mutex_;  // nobody inside waits for anything else
  std::optional<AllocationWindow> window_;
  const MemoryThread* window_thread_ = nullptr;  // the only one that counts; none: all do

  // Of the session's thread alone.
  MemoryLedger::Copy copy_;
  std::vector<KnownSite> known_sites_;
  std::vector<std::int64_t> untouched_;         // by site
  std::vector<std::int64_t> untouched_at_end_;  // of the program; valid once that is frozen
  boost::unordered_flat_map<std::uintptr_t, Owner> owners_;
  boost::unordered_flat_map<Place, Recorder::MemoryTotals> written_;
  boost::unordered_flat_map<Place, std::int64_t> written_live_;
  std::map<std::string, std::int64_t> said_;  // as attributes
  std::int64_t started_ = 0, next_untouched_ = 0, next_limits_ = 0;
  WritePace totals_pace_, live_pace_;
};

}  // namespace pyrometer
