#include "preload/memory_count.h"

#include <pthread.h>

#include <cerrno>

namespace pyrometer::preload {
namespace {

std::atomic<const pyrometer_memory_agent*> known_agent{nullptr};
std::atomic<std::int64_t> heap{0}, highest_heap{0};
pthread_key_t thread_end_key;
std::atomic<bool> has_key{false};

// Nothing that happens here counts, and the program sees no trace of it.
class Inside {
 public:
  explicit Inside(pyrometer_thread_memory& own) : own_(own) { own_.is_inside = 1; }
  ~Inside() {
    own_.is_inside = 0;
    errno = errno_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  pyrometer_thread_memory& own_;
  const int errno_ = errno;
};

void on_thread_end(void* thread) {
  auto& own = *static_cast<pyrometer_thread_memory*>(thread);
  if (own.count == current_count) publish(own);
}

// What a thread did last is not lost when it ends.
void meet_thread(pyrometer_thread_memory& own) {
  own.is_met = 1;
  if (has_key.load(std::memory_order_acquire)) pthread_setspecific(thread_end_key, &own);
}

[[gnu::constructor]] void prepare_thread_end() {
  if (pthread_key_create(&thread_end_key, &on_thread_end) == 0) has_key.store(true);
}

}  // namespace

constinit thread_local pyrometer_thread_memory own_memory [[gnu::tls_model("initial-exec")]] = {};
constinit FilterBits block_filter, object_filter;
constinit std::uint32_t current_count = 0;

namespace {
constexpr std::uint64_t kNoThreadHasThat = UINT64_MAX;  // as nobody is inside that often
}
constinit std::uint64_t quick_state = kNoThreadHasThat;

void choose_quick_state() {
  pyrometer_thread_memory quick{};
  quick.count = current_count;
  std::uint64_t state = 0;
  std::memcpy(&state, &quick.is_inside, sizeof(state));
  const bool is_plain = is_known() && real_allocator.has_headers && !counts_marked_only;
  quick_state = is_plain ? state : kNoThreadHasThat;
}

void meet_memory_agent(const pyrometer_memory_agent* agent) {
  if (agent != nullptr && (agent->version < 1 || agent->size < sizeof(*agent))) return;
  known_agent.store(agent, std::memory_order_release);
  // This thread's next block asks how many bytes the next sample is away.
  own_memory.until_sample = own_memory.until_object = 0;
  own_memory.is_met = 0;
  if (agent == nullptr) return;
  // Peaks are those of the recording: a forked child does not have its parent's.
  const std::int64_t now = heap_of_process();
  highest_heap.store(now, std::memory_order_relaxed);
  agent->heap_peak(now);
}

void count_from_zero() {
  counts_marked_only = true;
  forget_marks();
  heap.store(0, std::memory_order_relaxed);
  highest_heap.store(0, std::memory_order_relaxed);
  ++current_count;
  choose_quick_state();
}

void begin_count(pyrometer_thread_memory& own) {
  own.count = current_count;
  own.published = own.live;
  own.until_sample = own.until_object = 0;
  own.is_met = 0;
}

std::int64_t heap_of_process() { return heap.load(std::memory_order_relaxed); }

void add_to_heap(std::int64_t bytes) {
  const std::int64_t now = heap.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (bytes < 0) return;
  std::int64_t highest = highest_heap.load(std::memory_order_relaxed);
  while (now > highest) {
    if (!highest_heap.compare_exchange_weak(highest, now, std::memory_order_relaxed)) continue;
    const auto* agent = known_agent.load(std::memory_order_acquire);
    if (agent != nullptr) agent->heap_peak(now);
    return;
  }
}

void publish(pyrometer_thread_memory& own) {
  const std::int64_t hidden = own.live - own.published;
  own.published = own.live;
  const std::uint32_t before = own.is_inside;
  own.is_inside = 1;
  add_to_heap(hidden);
  own.is_inside = before;
}

void tell_of_block(const void* block, std::size_t size, pyrometer_block_kind kind,
                   const void* caller) {
  pyrometer_thread_memory& own = own_memory;
  const Inside inside(own);
  if (own.is_met == 0) meet_thread(own);
  const auto* agent = known_agent.load(std::memory_order_acquire);
  constexpr std::int64_t kUntilSomebodyCame = 1 << 20;
  const std::int64_t next =
      agent == nullptr ? kUntilSomebodyCame : agent->block_came(block, size, kind, caller);
  if (kind == PYROMETER_HEAP_BLOCK) own.until_sample = next;
  if (kind == PYROMETER_OBJECT) own.until_object = next;
}

void tell_of_end(const void* block) {
  const Inside inside(own_memory);
  if (const auto* agent = known_agent.load(std::memory_order_acquire)) agent->block_goes(block);
}

void tell_of_mapping(const void* begin, std::size_t size, const void* caller) {
  const Inside inside(own_memory);
  const auto* agent = known_agent.load(std::memory_order_acquire);
  if (agent == nullptr) return;  // whether it goes would not be known either
  agent->mapping_came(begin, size, caller);
  add_to_heap(static_cast<std::int64_t>(size));
}

std::int64_t tell_of_unmapping(const void* begin, std::size_t size) {
  const Inside inside(own_memory);
  const auto* agent = known_agent.load(std::memory_order_acquire);
  if (agent == nullptr) return 0;
  const std::int64_t gone = agent->mapping_goes(begin, size);
  add_to_heap(-gone);
  return gone;
}

}  // namespace pyrometer::preload
