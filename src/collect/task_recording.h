// The tasks of asyncio for the recording: how long they waited, where and for what, as visits see
// it (task_watch.h), and how long they ran, as samples see it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collect/code_table.h"
#include "collect/recorder.h"
#include "collect/task_finder.h"
#include "collect/task_table.h"
#include "cpython/walk.h"

namespace pyrometer {

class TaskRecording {
 public:
  // A forked child makes a new one.
  TaskRecording(CodeTable& codes, TaskFinder& finder) : codes_(codes), finder_(finder) {}

  // ---- for whoever visits the tasks, with the GIL
  struct MetTask {
    std::string_view name, coroutine;  // qualified
    std::uintptr_t identity = 0;       // its address
    std::uintptr_t frame = 0;          // where its coroutine keeps it; 0: nowhere that we know of
    std::span<const RawFrame> chain;   // the task's coroutine first; one that runs has none
    std::string_view awaited;
  };
  // The place where it stands.
  std::uint32_t meet(const MetTask& task);
  void add_waiting(std::uint32_t place, std::int64_t time);
  // A task stood there for so long and kept its loop from going on.
  void saw_block(std::uint32_t place, std::int64_t time);
  // Tasks that no visit met for this many visits are forgotten.
  void end_visit(std::uint64_t patience);

  // ---- for the session's thread: a moment in which a thread ran a task
  struct Moment {
    std::uint32_t thread = 0;
    std::int64_t begin = 0, end = 0;       // the task ran at both, and in between if they differ
    std::uint64_t step = 0;                // 0: unknown
    std::uintptr_t frame = 0;              // where the task's coroutine keeps it
    std::vector<TaskTable::Frame> frames;  // the task's coroutine first
  };
  // `coroutine` is the qualified name of the first frame's code.
  void add_work(const Moment& moment, std::string_view coroutine, std::int64_t cpu);
  void add_blocked(const Moment& moment, std::string_view coroutine, std::int64_t time);
  const TaskFinder& finder() const { return finder_; }

  void write(Recorder& recorder, std::int64_t now, const std::function<void()>& drain_codes);

 private:
  // The time during which a task gave the loop no turn. Samples and sleeps are heard of by
  // different ways, so that the newest step may not be the last one.
  struct Burst {
    std::uint64_t step = 0;
    std::int64_t begin = 0, end = 0;
  };
  struct Bursts {
    std::array<Burst, 4> newest{};
    std::size_t next = 0;
  };
  struct Known {
    std::size_t name = 0;  // its hash
    std::uint64_t visit = 0;
  };

  // A task that was not met yet: a visit may still come, and tell its name.
  struct Unnamed {
    Moment moment;
    std::string coroutine;
    TaskTable::Values values;
  };

  void add(const Moment& moment, std::string_view coroutine, const TaskTable::Values& values);
  void add(const Moment& moment, TaskTable::KindId kind, const TaskTable::Values& values);
  TaskTable::KindId kind_of(const Moment& moment) const;
  void name_the_unnamed();
  void note_burst(const Moment& moment, std::uint32_t place);

  CodeTable& codes_;
  TaskFinder& finder_;
  std::mutex mutex_;  // everything below
  TaskTable table_;
  boost::unordered_flat_map<std::uint32_t, TaskTable::Values> totals_;  // by node, as written
  boost::unordered_flat_map<std::uintptr_t, Known> known_;              // tasks by address
  std::set<std::pair<TaskTable::KindId, std::uint32_t>> codes_of_kinds_;
  std::uint64_t visit_ = 1;
  std::map<std::uint32_t, Bursts> bursts_;  // by thread
  std::vector<Unnamed> unnamed_;
};

}  // namespace pyrometer
