// How the session's thread turns the ledger into records.
#include <algorithm>
#include <cmath>

#include "collect/memory_recording.h"
#include "collect/untouched_memory.h"
#include "os/clocks.h"
#include "os/process_memory.h"
#include "os/task_files.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

MemoryRecording::Owner MemoryRecording::owner_of(std::uintptr_t caller, const Tools& tools) {
  if (caller == 0) return Owner::kPython;
  const auto known = owners_.find(caller);
  if (known != owners_.end()) return known->second;
  const auto module = tools.modules.find(caller);
  const auto interpreter = reinterpret_cast<std::uintptr_t>(context_.symbols.own_thread_state);
  const bool is_python = module && module == tools.modules.find(interpreter);
  const bool is_numpy =
      module && !is_python && tools.modules[*module].path.find("/numpy/") != std::string::npos;
  return owners_[caller] = is_python ? Owner::kPython : is_numpy ? Owner::kNumpy : Owner::kNative;
}

std::optional<std::uint32_t> MemoryRecording::node_of(Recorded& recorded, const LedgerSiteKey& key,
                                                      Owner owner, const Tools& tools) {
  auto node = recorded.nodes.find(recorded.thread->places.tree, key.node, tools.recorder,
                                  tools.drain_codes);
  if (!node || *node != Recorder::kNoNode) return node;
  const auto module = tools.modules.find(key.caller);
  if (owner == Owner::kPython || !module) {
    return tools.recorder.label_node(Recorder::kNoNode, "(interpreter)");
  }
  return tools.recorder.native_node(Recorder::kNoNode, tools.modules[*module], key.caller);
}

void MemoryRecording::learn_site(std::size_t number, const Tools& tools, std::int64_t now) {
  KnownSite& site = known_sites_[number];
  if (site.node) return;
  const LedgerSiteKey& key = copy_.sites[number].key;
  if (key.thread >= threads_.size() || !threads_[key.thread].thread) return;
  Recorded& recorded = threads_[key.thread];
  const int tid = recorded.thread->tid;
  if (!recorded.recorded_as) recorded.recorded_as = tools.find_thread(tid);
  if (!recorded.recorded_as) {
    recorded.recorded_as = tools.recorder.add_thread({.tid = tid,
                                                      .thread_class = ThreadClass::kNative,
                                                      .name = read_task_name(tid),
                                                      .start = now});
  }
  site.thread = *recorded.recorded_as;
  site.owner = owner_of(key.caller, tools);
  site.node = node_of(recorded, key, site.owner, tools);
}

// Whoever ended adds no more sites: once all of its own are known, its tree is not needed.
void MemoryRecording::forget_ended_threads() {
  std::vector<bool> is_needed(threads_.size());
  for (std::size_t i = 0; i < known_sites_.size(); ++i) {
    if (!known_sites_[i].node) is_needed[copy_.sites[i].key.thread] = true;
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    auto& thread = threads_[i].thread;
    if (!thread) continue;
    thread->places.tree.make_room();
    // The first one also stands for what threads do while they end, and a window tells of places.
    if (i != 0 && thread->has_ended.load() && !is_needed[i] && !has_window_) thread.reset();
  }
}

void MemoryRecording::review_untouched(bool is_last, std::int64_t now) {
  if (ledger_.is_frozen()) {
    untouched_ = untouched_at_end_;
  } else if (now >= next_untouched_ || is_last) {
    next_untouched_ = now + 10 * kSecond;
    untouched_ = untouched_by_site(ledger_.big_blocks());
  }
}

std::size_t MemoryRecording::write_totals(std::int64_t now, const Tools& tools) {
  boost::unordered_flat_map<Place, Recorder::MemoryTotals> totals;
  for (std::size_t i = 0; i < copy_.sites.size(); ++i) {
    const LedgerSite& site = copy_.sites[i];
    const KnownSite& known = known_sites_[i];
    if (!known.node) continue;
    Recorder::MemoryTotals& sum = totals[{known.thread, *known.node}];
    sum.allocated += site.allocated;
    sum.allocations += std::llround(site.allocations);
    sum.live += site.live;
    sum.live_blocks += std::llround(site.live_blocks);
    sum.peak += site.at_peak;
    sum.temporary += site.temporary;
    if (i < untouched_.size()) sum.untouched += untouched_[i];
    if (known.owner == Owner::kPython) continue;
    const bool is_numpy = known.owner == Owner::kNumpy;
    (is_numpy ? sum.allocated_numpy : sum.allocated_native) += site.allocated;
    (is_numpy ? sum.live_numpy : sum.live_native) += site.live;
    (is_numpy ? sum.peak_numpy : sum.peak_native) += site.at_peak;
  }
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, Recorder::MemoryTotals>>> changed;
  for (const auto& [place, sum] : totals) {
    Recorder::MemoryTotals& before = written_[place];
    if (before != sum) changed[place.first].emplace_back(place.second, sum);
    before = sum;
  }
  std::size_t bytes = 0;
  for (auto& [thread, rows] : changed) {
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    bytes += tools.recorder.memory_totals(thread, now, rows);
  }
  return bytes;
}

// Places that hold little are told of once they hold more, or less again.
std::size_t MemoryRecording::write_live(std::int64_t now, Recorder& recorder) {
  constexpr std::int64_t kLeastShare = 1'000;
  const std::int64_t least = std::max<std::int64_t>(library_.heap() / kLeastShare, 1);
  std::map<std::uint32_t, std::vector<Recorder::LiveBytes>> changed;
  for (const auto& [place, sum] : written_) {
    const auto before = written_live_.find(place);
    if (before == written_live_.end() ? sum.live < least : before->second == sum.live) continue;
    written_live_[place] = sum.live;
    changed[place.first].push_back({place.second, sum.live});
  }
  std::size_t bytes = 0;
  for (auto& [thread, rows] : changed) {
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.node < b.node; });
    bytes += recorder.live_bytes(thread, now, rows);
  }
  return bytes;
}

std::size_t MemoryRecording::write_attributes(std::int64_t now, bool is_last, Recorder& recorder) {
  std::size_t bytes = 0;
  const auto say = [&](const std::string& key, std::int64_t value) {
    const auto [said, is_new] = said_.try_emplace(key, value);
    if (!is_new && said->second == value) return;
    said->second = value;
    const std::string text = std::to_string(value);
    recorder.attribute(key, text);
    bytes += key.size() + text.size();
  };
  say("memory.heap-peak", copy_.peak);
  say("memory.heap-peak-time", copy_.peak_time);
  if (now >= next_limits_ || is_last) {
    next_limits_ = now + kSecond;  // several files are read
    say("memory.rss-peak", most_resident_memory());
    if (const auto group = group_memory()) {
      say("memory.limit", group->limit);
      if (group->peak) say("memory.cgroup-peak", *group->peak);
    }
  }
  if (!is_last) return bytes;
  std::string sizes;
  for (std::size_t i = 0; i < copy_.sizes.size(); ++i) {
    if (copy_.sizes[i] < 0.5) continue;
    sizes += fmt::format("{}{}:{:.0f}", sizes.empty() ? "" : " ", i, copy_.sizes[i]);
  }
  recorder.attribute("memory.sizes", sizes);
  return bytes + sizes.size();
}

void MemoryRecording::write(std::int64_t now, bool is_last, const Tools& tools) {
  curve_.write(tools.recorder, is_last);
  if (!totals_pace_.is_due(now) && !is_last) return;
  const std::int64_t cpu = own_thread_cpu();
  if (!ledger_.copy_to(copy_) && !is_last) return;
  {
    const std::lock_guard lock(threads_mutex_);
    known_sites_.resize(copy_.sites.size());
    for (std::size_t i = 0; i < copy_.sites.size(); ++i) learn_site(i, tools, now);
    forget_ended_threads();
  }
  review_untouched(is_last, now);
  const std::size_t bytes =
      write_totals(now, tools) + write_attributes(now, is_last, tools.recorder);
  if (live_pace_.is_due(now) || is_last) {
    constexpr std::int64_t kShortest = kSecond / 10, kLooksUntilNow = 50;
    live_pace_.wrote(now, write_live(now, tools.recorder),
                     std::max(kShortest, (now - started_) / kLooksUntilNow));
  }
  constexpr std::int64_t kLeastPause = 500;  // in times what this took
  totals_pace_.wrote(now, bytes, kLeastPause * (own_thread_cpu() - cpu));
}

}  // namespace pyrometer
