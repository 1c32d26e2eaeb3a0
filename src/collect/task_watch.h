// Visits the tasks of running event loops, to see where they wait. A thread of ours does so with
// the GIL, some times in a hundred milliseconds and never for long; while no loop ran since the
// last visit, all tasks stand where they stood, and it only looks at clocks. Of very many tasks
// each visit sees a part, in turn, which speaks for all.
//
// Deadlocks cannot be: the lock here is only held by whoever has the GIL and keeps it, or does not
// want it; pausing gives the GIL away meanwhile.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "collect/task_recording.h"
#include "cpython/asyncio_tasks.h"
#include "cpython/await_chain.h"
#include "cpython/layout.h"

namespace pyrometer {

class TaskWatch {
 public:
  // `begin_thread` is called by our thread before anything else. A forked child makes a new one.
  TaskWatch(const Layout& layout, TaskRecording& recording, void (*begin_thread)());
  TaskWatch(const TaskWatch&) = delete;
  TaskWatch& operator=(const TaskWatch&) = delete;
  ~TaskWatch() = delete;  // our thread may look at it until the process ends

  // ---- with the GIL
  // The calling thread runs this loop from now on; nullptr: none.
  void set_running_loop(PyObject* loop);
  // Our thread must not be there around a fork, nor when the interpreter ends. The GIL is given
  // away while we wait for it.
  void pause();
  void resume();
  void resume_anew();  // what passed meanwhile does not count
  void stop();         // for good

  // ---- for the session's thread
  std::int64_t cpu() const { return cpu_.load(std::memory_order_relaxed); }  // of ours, in ns
  int tid() const { return tid_.load(std::memory_order_relaxed); }

 private:
  struct Loop {
    int tid = 0;
    PyObject* loop = nullptr;  // borrowed: its thread holds it as long as it runs
    std::int64_t thread_cpu = 0;
  };
  // Where tasks stood when they were last seen, and how many of them.
  using Standing = std::map<std::uint32_t, std::int64_t>;

  static void* run(void* argument);
  bool wait_for_turn();
  bool has_any_loop_run() const;
  void visit();
  void look(std::unique_lock<std::mutex>& lock, std::int64_t now);
  AsyncioTasks::List list_tasks(std::unique_lock<std::mutex>& lock) const;
  void meet_tasks(const AsyncioTasks::List& all);
  void meet(PyObject* task);
  std::string awaited_label(PyObject* awaited) const;
  void add_time(std::int64_t until);
  void forget_places();
  void start_thread();
  bool must_stop_thread();
  void join_thread();

  const Layout& layout_;
  TaskRecording& recording_;
  void (*const begin_thread_)();
  std::atomic<int> tid_{0};
  std::atomic<std::int64_t> cpu_{0};
  std::int64_t cpu_of_ended_ = 0;  // threads; only ours looks at it

  std::mutex join_mutex_;  // of who waits for our thread to end
  std::mutex mutex_;       // everything below
  std::condition_variable wake_;
  pthread_t thread_{};
  bool has_thread_ = false;
  bool is_pausing_ = false, is_over_ = false;
  std::vector<Loop> loops_;  // that run now
  std::unique_ptr<AsyncioTasks> tasks_;
  std::unique_ptr<AwaitChains> chains_;
  Standing standing_;
  std::vector<std::uint32_t> running_;  // places of tasks that ran at the last visit, which was
  std::int64_t looked_ = 0;             // then
  double weight_ = 1;                   // of each that was seen, as it speaks for others
  std::int64_t accounted_ = 0;          // until when standing tasks have their time
  std::int64_t unchanged_ = 0;          // until when they are known to have stood there
  std::size_t next_task_ = 0;           // the first one to be looked at next time
  std::size_t parts_left_ = 0;          // of very many tasks, not seen since a loop ran
  std::int64_t earliest_visit_ = 0;
  std::minstd_rand random_;
};

}  // namespace pyrometer
