#include "collect/region_recording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collect/own_frames.h"
#include "cpython/python_api.h"
#include "os/cycle_counter.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

// An hour of a program that does nothing but enter regions takes some megabytes.
constexpr double kRoomAtFirst = 100'000;
constexpr double kRoomPerSecond = 300;
constexpr std::size_t kMostNames = 1'000;

RegionRecording* active = nullptr;

// What is shortest is left out first; marks last.
std::uint64_t weight_of(const EndedRegion& region) {
  return region.start == region.end ? UINT64_MAX : region.end - region.start;
}

// Functions that begin regions for their caller, and return while they are open.
constexpr std::size_t kPassingNames = 4;
std::array<std::uintptr_t, kPassingNames>& passing_names() {
  static std::array<std::uintptr_t, kPassingNames> names{};
  return names;
}

void find_passing_names() {
  constexpr std::array<const char*, kPassingNames> kNames = {
      "__enter__", "__aenter__", "enter_context", "enter_async_context"};
  for (std::size_t i = 0; i < kPassingNames; ++i) {
    // Kept for good, as those in code objects are.
    passing_names()[i] = reinterpret_cast<std::uintptr_t>(PyUnicode_InternFromString(kNames[i]));
  }
}

// Says when the thread is over.
struct OwnLog {
  OwnLog() = default;
  OwnLog(const OwnLog&) = delete;
  OwnLog& operator=(const OwnLog&) = delete;
  ~OwnLog() {
    if (own_region_log != nullptr) own_region_log->is_over.store(true);
    own_region_log = nullptr;
  }
  bool is_watching = false;
};
thread_local OwnLog own_log;

}  // namespace

RegionRecording::RegionRecording(RegionTimers& timers, const FrameContext& frames)
    : timers_(timers), frames_(frames), room_(kRoomAtFirst) {
  timers.forget_recorded();
  own_region_log = nullptr;
  active = this;
  begin_region_log = &begin_log;
  tell_openers();
}

void RegionRecording::tell_openers() const {
  const bool has_frames = frames_.codes != nullptr;
  if (has_frames) find_passing_names();
  find_region_opener = has_frames ? &find_opener : nullptr;
  number_region_opener = has_frames ? &number_opener : nullptr;
}

std::uintptr_t RegionRecording::find_opener() {
  const FrameContext& frames = active->frames_;
  const auto state = reinterpret_cast<std::uintptr_t>(PyThreadState_Get());
  return OwnFrames(frames.layout, *frames.codes, state).opener(passing_names());
}

void RegionRecording::stop() {
  pause();
  timers_.forget_recorded();
}

void RegionRecording::restart() {
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    thread->log->clear();
    thread->recorded_as.reset();
    thread->ended.clear();
    thread->has_open = false;
  }
  std::erase_if(threads_, [](const auto& thread) { return thread->log->is_over.load(); });
  written_counts_.clear();
  room_ = kRoomAtFirst;
  last_write_ = 0;
  left_out_ = left_out_written_ = 0;
  tell_openers();
  resume();
}

// Who was seen on any stack meanwhile is known; nobody else matters.
std::uint32_t RegionRecording::number_opener(std::uintptr_t code) {
  return active->frames_.codes->number_at(code);
}

RegionLog* RegionRecording::begin_log() {
  try {
    own_region_log = active->add_log();
    own_log.is_watching = true;
  } catch (const std::exception&) {  // no memory: the program may still have enough
  }
  return own_region_log;
}

RegionLog* RegionRecording::add_log() {
  auto thread = std::make_unique<LoggedThread>();
  thread->log = std::make_unique<RegionLog>(own_tid());
  RegionLog* log = thread->log.get();
  const std::lock_guard lock(mutex_);
  threads_.push_back(std::move(thread));
  is_used_ = true;
  return log;
}

void RegionRecording::drain(Recorder& recorder, const FindThread& find_thread) {
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    RegionLog& log = *thread->log;
    const bool is_over = log.is_over.load();
    thread->is_done = log.is_unused();  // before its last regions are read
    if (!thread->recorded_as) thread->recorded_as = find_thread(log.tid);
    if (!thread->recorded_as && is_over) {
      thread->recorded_as = recorder.add_thread({.tid = log.tid, .name = "Thread"});
    }
    log.ended.drain([&](const EndedRegion& region) {
      thread->ended.push_back(region);
      return true;
    });
    left_out_ += log.dropped.exchange(0);
  }
}

// Of all threads together; what is longer stays.
void RegionRecording::leave_out_shortest() {
  std::vector<std::uint64_t> lengths;
  for (const auto& thread : threads_) {
    for (const EndedRegion& region : thread->ended) lengths.push_back(weight_of(region));
  }
  const auto room = static_cast<std::size_t>(std::max(room_, 0.0));
  if (lengths.size() <= room) {
    room_ -= static_cast<double>(lengths.size());
    return;
  }
  std::uint64_t shortest = UINT64_MAX;
  if (room > 0) {
    const auto limit = lengths.begin() + static_cast<std::ptrdiff_t>(room - 1);
    std::nth_element(lengths.begin(), limit, lengths.end(), std::greater<>());
    shortest = *limit;
  }
  for (const auto& thread : threads_) {
    left_out_ += std::erase_if(thread->ended, [&](const EndedRegion& region) {
      return weight_of(region) < shortest || room_-- < 1;
    });
  }
}

void RegionRecording::write(Recorder& recorder, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (!is_used_) return;  // the scale takes milliseconds in a program that has just begun
  const double scale = CycleCounter::own().nanoseconds_per_count();
  constexpr double kSecond = 1e9;
  if (last_write_ != 0) {
    room_ = std::clamp(room_ + kRoomPerSecond * static_cast<double>(now - last_write_) / kSecond,
                       0.0, kRoomAtFirst);
  }
  last_write_ = now;
  leave_out_shortest();
  for (const auto& thread : threads_) {
    if (!thread->recorded_as) continue;
    write_open(*thread, recorder, now, scale);
    if (thread->ended.empty()) continue;
    std::vector<Recorder::RegionSpan> spans;
    for (const EndedRegion& region : thread->ended) {
      spans.push_back(
          {.name = *region.name,
           .start = CycleCounter::own().time_of(region.start, scale),
           .duration = std::llround(static_cast<double>(region.end - region.start) * scale),
           .row = region.row,
           .opener = region.opener});
    }
    recorder.regions(*thread->recorded_as, std::move(spans));
    thread->ended.clear();
  }
  std::erase_if(threads_,
                [](const auto& thread) { return thread->is_done && thread->ended.empty(); });
  write_figures(recorder, scale);
}

// Of a program that is killed, what it was in is known up to the last time.
void RegionRecording::write_open(LoggedThread& thread, Recorder& recorder, std::int64_t now,
                                 double scale) const {
  std::vector<Recorder::RegionSpan> spans;
  thread.log->visit_open([&](const EndedRegion& region) {
    const std::int64_t start = CycleCounter::own().time_of(region.start, scale);
    spans.push_back({.name = *region.name,
                     .start = start,
                     .duration = std::max<std::int64_t>(now - start, 0),
                     .row = region.row,
                     .opener = region.opener});
  });
  const bool had_open = std::exchange(thread.has_open, !spans.empty());
  if (had_open || thread.has_open) recorder.open_regions(*thread.recorded_as, std::move(spans));
}

void RegionRecording::write_figures(Recorder& recorder, double scale) {
  const auto nanoseconds = [&](const GilCount& counts) {
    return std::llround(static_cast<double>(counts.get()) * scale);
  };
  timers_.visit([&](const TimedRegion& region) {
    const RegionFigures& figures = region.recorded;
    const std::int64_t count = figures.count.get();
    if (count == 0) return;
    const bool is_known = written_counts_.contains(region.number);
    if (!is_known && written_counts_.size() >= kMostNames) return;
    if (std::exchange(written_counts_[region.number], count) == count) return;
    recorder.attribute(
        "region." + region.name,
        fmt::format("{} {} {} {} {}", count, nanoseconds(figures.total), nanoseconds(figures.self),
                    nanoseconds(figures.shortest), nanoseconds(figures.longest)));
  });
  if (left_out_ == left_out_written_) return;
  left_out_written_ = left_out_;
  recorder.attribute("regions.left-out", std::to_string(left_out_));
}

}  // namespace pyrometer
