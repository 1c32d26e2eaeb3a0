// What the kernel says of this process's threads, from /proc/self/task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/kept_file.h"

namespace pyrometer {

// All threads of this process, in no particular order.
std::vector<int> list_threads();
// How many there are, without listing them.
std::size_t count_threads();

bool is_thread_alive(int tid);

struct TaskState {
  bool is_running = false;         // or waiting for a core
  bool is_in_system_call = false;  // else blocked otherwise, for example on a page from disk
  long system_call = -1;
  std::uintptr_t first_argument = 0;
  std::uintptr_t stack_pointer = 0;
};

// What is looked at all the time. Nothing when the thread is gone or the kernel does not tell.
class WatchedTask {
 public:
  explicit WatchedTask(int tid);

  std::optional<TaskState> state();
  // Time spent ready to run without a core, in ns since the thread began.
  std::optional<std::int64_t> run_delay();
  // In a forked child, where that thread is none of ours.
  void close();

 private:
  KeptFile system_call_, schedule_;
};

// The name the kernel shows, as in `top -H`.
std::string read_task_name(int tid);

bool is_signal_blocked(int tid, int signal);

// The end of the mapping that holds `address`: the upper end of a stack. 0: not mapped.
std::uintptr_t mapping_end(std::uintptr_t address);

}  // namespace pyrometer
