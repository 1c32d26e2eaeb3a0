#include "collect/memory_recording.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "collect/sample_distance.h"
#include "collect/untouched_memory.h"
#include "os/clocks.h"
#include "os/own_thread.h"
#include "os/process_memory.h"
#include "os/thread_end.h"

namespace pyrometer {
namespace {

constexpr double kSampleBytes = 512 << 10;
// Bytes of the recording, before compression.
constexpr std::int64_t kMostTotals = 6'000'000, kMostLive = 3'000'000;

MemoryRecording* active = nullptr;  // who is told

// When the next block of a thread is recorded. The library counts the bytes until then, unless
// a window wants to hear of every block: then we do.
struct Countdown {
  std::int64_t left = 0;   // what the library does not count
  bool has_begun = false;  // a thread's first block only begins the count
};

// Of the calling thread; small, as every thread of the program has it.
struct OwnState {
  MemoryThread* thread = nullptr;
  const MemoryRecording* recording = nullptr;  // whose that is
  SampleDistance distance;
  const MemoryRecording* counted_for = nullptr;  // whose the next two are
  Countdown blocks, objects;
  bool is_over = false;
  bool is_forking = false;
};
thread_local OwnState own [[gnu::tls_model("initial-exec")]];

// Runs when a thread that we know ends, whoever made it.
void on_thread_end(void* thread) {
  own.thread = nullptr;
  own.is_over = true;
  static_cast<MemoryThread*>(thread)->has_ended.store(true);
}

}  // namespace

MemoryRecording::MemoryRecording(const pyrometer_memory_table& library, const FrameContext& context,
                                 MemoryMode mode)
    : library_(library),
      context_(context),
      mode_(mode),
      ledger_(library.block_filter, library.object_filter,
              {.bytes = kSampleBytes,
               .of_blocks = mode == MemoryMode::kSampled,
               .of_objects = mode != MemoryMode::kObjects}),
      clock_(monotonic_now()),
      started_(monotonic_now()),
      totals_pace_(started_, kMostTotals),
      live_pace_(started_, kMostLive) {
  own = {};
  pthread_setspecific(thread_end_key<&on_thread_end>(), nullptr);
}

void MemoryRecording::start(Recorder& recorder) {
  constexpr const char* kModes[] = {"none", "sampled", "exact", "objects"};
  recorder.attribute("memory.mode", kModes[static_cast<std::size_t>(mode_)]);
  recorder.attribute("memory.sample-bytes", fmt::format("{:.0f}", kSampleBytes));
  recorder.attribute("memory.physical", std::to_string(physical_memory()));
  recorder.keep_files();
  static constexpr pyrometer_memory_agent kAgent = {PYROMETER_MEMORY_VERSION,
                                                    sizeof(pyrometer_memory_agent),
                                                    &on_block,
                                                    &on_block_end,
                                                    &on_mapping,
                                                    &on_unmapping,
                                                    &on_peak};
  active = this;
  library_.agent_came(&kAgent);
}

void MemoryRecording::stop() const { library_.agent_came(nullptr); }

// No lock is held across a fork: handlers of libraries that came before us run in between, and may
// allocate, or wait for threads that do, as those of OpenBLAS.
void MemoryRecording::before_fork() { own.is_forking = true; }

void MemoryRecording::after_fork(bool is_child) {
  if (is_child) {
    library_.agent_came(nullptr);
    curve_.leave_to_parent();
  }
  own.is_forking = false;
}

void MemoryRecording::ignore_own_thread() const { library_.own_thread()->is_inside = 1; }

// In a forked child, before we hear of it: what other libraries do there must not wait for threads
// that do not exist.
bool MemoryRecording::is_in_fork() { return own.is_forking && getpid() != active->process_; }

// When there is no memory left for us, the program may still have enough.
template <class Do>
std::int64_t MemoryRecording::or_nothing(Do&& work) {
  if (is_in_fork()) return 0;
  try {
    active->review_end();
    return work();
  } catch (const std::exception&) {
    return 0;
  }
}

std::int64_t MemoryRecording::on_block(const void* block, std::size_t size,
                                       pyrometer_block_kind kind, const void* caller) {
  const bool is_object = kind == PYROMETER_OBJECT;
  return or_nothing([&] {
    return active->sample(block, size, kind,
                          is_object ? 0 : reinterpret_cast<std::uintptr_t>(caller));
  });
}
void MemoryRecording::on_block_end(const void* block) {
  or_nothing([&] {
    active->ledger_.block_goes(block, active->clock());
    active->in_window([&](AllocationWindow& window) { window.block_goes(block); });
    return 0;
  });
}
void MemoryRecording::on_mapping(const void* begin, std::size_t size, const void* caller) {
  or_nothing([&] {
    const bool is_paused = active->is_paused_.load(std::memory_order_relaxed);
    const std::uint32_t site = is_paused
                                   ? MemoryLedger::kNobody
                                   : active->find_site(reinterpret_cast<std::uintptr_t>(caller));
    active->ledger_.mapping_came(begin, size, site, active->clock());
    if (is_paused) return 0;
    active->in_window([&](AllocationWindow& window) {
      if (active->counts_in_window(own.thread)) window.mapping_came(begin, size, site);
    });
    return 0;
  });
}
std::int64_t MemoryRecording::on_unmapping(const void* begin, std::size_t size) {
  return or_nothing([&] {
    active->in_window([&](AllocationWindow& window) { window.mapping_goes(begin, size); });
    return active->ledger_.mapping_goes(begin, size, active->clock());
  });
}
void MemoryRecording::on_peak(std::int64_t heap) {
  if (!is_in_fork()) active->ledger_.heap_peak(heap, monotonic_now());
}

// When the interpreter begins to tear down, the program is over.
void MemoryRecording::review_end() {
  const auto is_finalizing = context_.symbols.is_finalizing;
  if (is_finalizing == nullptr || is_finalizing() == 0 || ledger_.is_frozen()) return;
  const std::lock_guard lock(threads_mutex_);
  if (ledger_.is_frozen()) return;
  untouched_at_end_ = untouched_by_site(ledger_.big_blocks());
  ledger_.freeze();
}

bool MemoryRecording::is_exact(pyrometer_block_kind kind) const {
  if (kind == PYROMETER_OBJECT) return mode_ == MemoryMode::kObjects;
  return kind == PYROMETER_BIG || mode_ != MemoryMode::kSampled;
}

std::int64_t MemoryRecording::sample(const void* block, std::size_t size, pyrometer_block_kind kind,
                                     std::uintptr_t caller) {
  if (std::exchange(own.counted_for, this) != this) own.blocks = own.objects = {};
  Countdown& countdown = kind == PYROMETER_OBJECT ? own.objects : own.blocks;
  bool is_recorded = is_exact(kind);
  if (!is_recorded) {
    countdown.left -= static_cast<std::int64_t>(size);
    if (countdown.left <= 0) {
      countdown.left = own.distance.next(kSampleBytes);
      is_recorded = std::exchange(countdown.has_begun, true);
    }
  }
  is_recorded = is_recorded && !is_paused_.load(std::memory_order_relaxed);
  const auto& is_followed = kind == PYROMETER_OBJECT ? has_object_window_ : has_window_;
  const bool has_window = is_followed.load(std::memory_order_acquire);
  if (is_recorded || has_window) {
    const std::uint32_t site = find_site(caller);
    if (is_recorded) ledger_.block_came(block, size, site, clock());
    in_window([&](AllocationWindow& window) {
      if (has_window && counts_in_window(own.thread)) window.block_came(block, size, site);
    });
  }
  return is_exact(kind) || has_window ? 0 : std::exchange(countdown.left, 0);
}

template <class Do>
void MemoryRecording::in_window(Do&& work) {
  if (!has_window_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(window_mutex_);
  if (window_) work(*window_);
}

bool MemoryRecording::begin_window(bool of_own_thread, bool hears_objects) {
  const OwnMemory ours(*this);
  const MemoryThread* thread = own_memory_thread();
  {
    const std::lock_guard lock(window_mutex_);
    if (window_) return false;
    window_.emplace();
    window_thread_ = of_own_thread ? thread : nullptr;
  }
  ledger_.hear_of_every_end(true);
  has_window_.store(true, std::memory_order_release);
  has_object_window_.store(hears_objects, std::memory_order_release);
  // This thread is heard of at once, others when they would have been anyway.
  pyrometer_thread_memory& counts = *library_.own_thread();
  own.blocks.left += std::max<std::int64_t>(std::exchange(counts.until_sample, 0), 0);
  own.objects.left += std::max<std::int64_t>(std::exchange(counts.until_object, 0), 0);
  return true;
}

std::optional<MemoryRecording::WindowFigures> MemoryRecording::end_window(
    std::size_t most, const Recorder& recorder, const std::function<void()>& drain_codes) {
  const OwnMemory ours(*this);
  std::int64_t peak = 0;
  std::vector<AllocationWindow::Place> sites;
  {
    const std::lock_guard lock(window_mutex_);
    if (!window_) return std::nullopt;
    peak = window_->peak();
    sites = window_->places();
    has_window_.store(false, std::memory_order_release);
    has_object_window_.store(false, std::memory_order_release);
    window_.reset();
  }
  ledger_.hear_of_every_end(false);
  pyrometer_thread_memory& counts = *library_.own_thread();
  counts.until_sample = std::exchange(own.blocks.left, 0);
  counts.until_object = std::exchange(own.objects.left, 0);
  drain_codes();
  return {{.peak = peak, .places = describe_places(sites, most, recorder)}};
}

MemoryThread* MemoryRecording::own_memory_thread() {
  return own.thread != nullptr && own.recording == this ? own.thread : meet_thread();
}

MemoryThread* MemoryRecording::meet_thread() {
  if (own.is_over) return nullptr;
  const std::lock_guard lock(threads_mutex_);
  const auto number = static_cast<std::uint32_t>(threads_.size());
  threads_.push_back({.thread = std::make_unique<MemoryThread>(own_tid(), number)});
  own.thread = threads_.back().thread.get();
  own.recording = this;
  pthread_setspecific(thread_end_key<&on_thread_end>(), own.thread);
  return own.thread;
}

// What a thread allocates while it ends is nobody's.
std::uint32_t MemoryRecording::find_site(std::uintptr_t caller) {
  MemoryThread* thread = own_memory_thread();
  if (thread == nullptr) return ledger_.find_site({.caller = caller});
  const auto make_site = [&](std::uint32_t node) {
    return ledger_.find_site({.thread = thread->number, .node = node, .caller = caller});
  };
  const auto make_room = [&] {
    const std::lock_guard lock(threads_mutex_);  // nobody reads the tree meanwhile
    thread->places.tree.make_room();
    return true;
  };
  return thread->places.find_site(context_, caller, make_site, make_room);
}

}  // namespace pyrometer
