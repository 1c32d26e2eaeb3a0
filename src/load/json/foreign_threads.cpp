#include "load/json/foreign_threads.h"

#include <algorithm>

#include "formats/json_values.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostThreads = 10'000;

}  // namespace

ProcessId ForeignThreads::process(const std::string& label) {
  const auto found = processes_.find(label);
  if (found != processes_.end()) return found->second;
  const ProcessId process = builder_.add_process({.pid = number_of_label(label)});
  lives_.resize(process.row() + std::size_t{1});
  processes_.emplace(label, process);
  return process;
}

Result<ThreadId> ForeignThreads::thread(const std::string& process_label,
                                        const std::string& label) {
  const auto key = std::pair(process_label, label);
  if (const auto found = threads_.find(key); found != threads_.end()) return found->second;
  if (threads_.size() == kMostThreads) {
    return fail(ErrorCode::kTooLarge, "it has more than {} threads", kMostThreads);
  }
  const ProcessId owner = process(process_label);
  const bool is_first = !std::exchange(lives_[owner.row()].has_threads, true);
  const ThreadId thread = builder_.add_thread(
      {.process = owner,
       .thread_class = is_first ? ThreadClass::kMain : ThreadClass::kPython,
       .tid = number_of_label(label),
       .name = builder_.string(label.empty() ? "main" : std::string_view(label))});
  threads_.emplace(key, thread);
  return thread;
}

std::optional<ProcessId> ForeignThreads::find_process(const std::string& label) const {
  const auto found = processes_.find(label);
  return found == processes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ThreadId> ForeignThreads::find_thread(const std::string& process_label,
                                                    const std::string& label) const {
  const auto found = threads_.find({process_label, label});
  return found == threads_.end() ? std::nullopt : std::optional(found->second);
}

void ForeignThreads::set_name(ThreadId thread, std::string_view name) {
  builder_.profile().threads[thread.row()].name = builder_.string(name);
}

void ForeignThreads::saw(ThreadId thread, std::int64_t start, std::int64_t end) {
  const ProcessId owner = builder_.profile().threads[thread.row()].process;
  Life& life = lives_[owner.row()];
  life.start = std::min(life.start, start);
  life.end = std::max(life.end, end);
  builder_.profile().processes[owner.row()].duration = life.end - life.start;
}

}  // namespace pyrometer
