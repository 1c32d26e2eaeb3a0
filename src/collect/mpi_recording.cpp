#include "collect/mpi_recording.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "os/clocks.h"
#include "os/cycle_counter.h"
#include "os/own_thread.h"
#include "os/task_files.h"
#include "os/thread_end.h"

namespace pyrometer {
namespace {

thread_local MpiThread* own [[gnu::tls_model("initial-exec")]] = nullptr;
thread_local bool is_over [[gnu::tls_model("initial-exec")]] = false;

// Runs when a thread that called MPI ends, whoever made it.
void on_thread_end(void* thread) {
  own = nullptr;
  is_over = true;
  static_cast<MpiThread*>(thread)->has_ended.store(true);
}

}  // namespace

MpiThread* own_mpi_thread() { return own; }

MpiRecording::MpiRecording(std::span<const char* const> functions, const FrameContext& context,
                           bool beside_samples)
    : functions_(functions), context_(context) {
  if (beside_samples) clocked_time_ = MpiClocks::least_time_of_calls();
  own = nullptr;
  pthread_setspecific(thread_end_key<&on_thread_end>(), nullptr);
}

MpiThread* MpiRecording::meet_thread() {
  if (is_over) return nullptr;
  const int saved_errno = errno;
  try {
    auto recorded = std::make_unique<Recorded>();
    recorded->thread = std::make_unique<MpiThread>(own_tid());
    MpiThread* thread = recorded->thread.get();
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(recorded));
    pthread_setspecific(thread_end_key<&on_thread_end>(), thread);
    own = thread;
    if (SampledThread* sampled = own_thread()) sampled->mpi.store(thread);
  } catch (const std::exception&) {  // no memory: the program may still have enough
    is_over = true;
  }
  errno = saved_errno;
  return own;
}

void MpiRecording::begin(std::uint32_t function, std::uint64_t bytes, std::uint32_t communicator) {
  MpiThread* thread = own != nullptr ? own : meet_thread();
  if (thread == nullptr) return;
  const std::uint32_t site = find_site(*thread, {.function = function,
                                                 .communicator = communicator,
                                                 .size_class = MpiSites::size_class(bytes)});
  if (clocked_time_ && thread->sites[site].is_long(*clocked_time_)) thread->clocks.stop();
  thread->enter(site, bytes, counter_.read());
}

void MpiRecording::end() {
  const std::uint64_t now = CycleCounter::own().read();
  if (own != nullptr) own->leave(now);
}

std::uint32_t MpiRecording::find_site(MpiThread& thread, const MpiSiteKey& without_place) const {
  const std::uint64_t more = (std::uint64_t{without_place.function} << 40U) +
                             (std::uint64_t{without_place.communicator} << 8U) +
                             without_place.size_class;
  const auto make_site = [&](std::uint32_t node) {
    MpiSiteKey key = without_place;
    key.node = node;
    return thread.sites.find(key);
  };
  return thread.places.find_site(context_, more, make_site, [] { return false; });
}

std::optional<std::uint32_t> MpiRecording::node(const MpiThread& thread, std::uint32_t site,
                                                Recorder& recorder,
                                                const std::function<void()>& drain_codes) {
  const std::lock_guard lock(mutex_);
  for (const auto& recorded : threads_) {
    if (recorded->thread.get() == &thread) return node(*recorded, site, recorder, drain_codes);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> MpiRecording::node(Recorded& recorded, std::uint32_t site,
                                                Recorder& recorder,
                                                const std::function<void()>& drain_codes) {
  if (site >= recorded.site_nodes.size()) recorded.site_nodes.resize(site + 1);
  auto& known = recorded.site_nodes[site];
  if (known) return known;
  const MpiSiteKey& key = recorded.thread->sites[site].key;
  const auto caller =
      recorded.nodes.find(recorded.thread->places.tree, key.node, recorder, drain_codes);
  if (caller) known = recorder.mpi_node(*caller, functions_[key.function]);
  return known;
}

bool MpiRecording::write_thread(Recorded& recorded, Recorder& recorder, std::int64_t now,
                                const std::function<void()>& drain_codes) {
  MpiThread& thread = *recorded.thread;
  const double scale = counter_.nanoseconds_per_count();
  // Several sites may be one in the recording, where code of equal content is one function.
  std::map<Row, MpiTotals> all;
  bool is_whole = true;
  const std::uint32_t size = thread.sites.size();
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto place = node(recorded, i, recorder, drain_codes);
    const MpiSiteKey& key = thread.sites[i].key;
    if (place) {
      all[{*place, key.communicator, key.size_class}] += thread.totals(i, counter_.read());
    }
    is_whole = is_whole && place;
  }
  thread.places.tree.make_room();
  const auto in_time = [&](std::uint64_t counts) {
    return std::llround(static_cast<double>(counts) * scale);
  };
  std::vector<Recorder::MpiCallTotals> rows;
  for (const auto& [row, totals] : all) {
    MpiTotals& before = recorded.written[row];
    if (totals.calls == 0 || totals == before) continue;
    before = totals;
    rows.push_back({.node = std::get<0>(row),
                    .communicator = std::get<1>(row),
                    .size_class = std::get<2>(row),
                    .calls = static_cast<std::int64_t>(totals.calls),
                    .time = in_time(totals.time),
                    .bytes = static_cast<std::int64_t>(totals.bytes),
                    .quickest = in_time(totals.quickest),
                    .slowest = in_time(totals.slowest)});
  }
  if (!rows.empty()) recorder.mpi_calls(*recorded.recorded_as, rows);
  if (thread.sites.is_folded() && !std::exchange(recorded.warned_of_folding, true)) {
    recorder.message(now, MessageLevel::kWarning,
                     fmt::format("MPI was called from more than {} places or with as many sizes; "
                                 "later ones are counted without their place",
                                 MpiSites::kMostPlaces));
  }
  return is_whole;
}

void MpiRecording::find_record(Recorded& recorded, Recorder& recorder, const KnownThread& known,
                               std::int64_t now) {
  if (!recorded.recorded_as) recorded.recorded_as = known.recorded_as;
  if (recorded.recorded_as) return;
  const int tid = recorded.thread->tid;
  recorded.recorded_as = recorder.add_thread({.tid = tid,
                                              .thread_class = ThreadClass::kNative,
                                              .name = read_task_name(tid),
                                              .start = now});
}

void MpiRecording::sample(Recorder& recorder, std::int64_t now, const FindThread& find_thread,
                          const std::function<void()>& drain_codes) {
  const std::lock_guard lock(mutex_);
  for (const auto& recorded : threads_) {
    const MpiThread& thread = *recorded->thread;
    const std::uint32_t size = thread.sites.size();
    recorded->sampled.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::int64_t passed = thread.clocked(i, now) - recorded->sampled[i];
      if (passed <= 0) continue;
      const auto place = node(*recorded, i, recorder, drain_codes);
      if (!place) continue;
      find_record(*recorded, recorder, find_thread(thread), now);
      recorded->sampled[i] += passed;
      TimeValues values;
      values[TimeKind::kWall] = values[TimeKind::kMpi] = passed;
      recorder.sample(*recorded->recorded_as, now, *place, values);
    }
  }
}

void MpiRecording::write(Recorder& recorder, std::int64_t now, const FindThread& find_thread,
                         const std::function<void()>& drain_codes) {
  sample(recorder, now, find_thread, drain_codes);
  const std::lock_guard lock(mutex_);
  std::erase_if(threads_, [&](const auto& recorded) {
    const MpiThread& thread = *recorded->thread;
    const bool has_ended = thread.has_ended.load();  // before its last totals are read
    const KnownThread known = find_thread(thread);
    find_record(*recorded, recorder, known, now);
    const bool is_whole = write_thread(*recorded, recorder, now, drain_codes);
    return has_ended && is_whole && !known.is_in_use;
  });
}

}  // namespace pyrometer
