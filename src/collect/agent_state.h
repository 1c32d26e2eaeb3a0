// What the agent of this process is made of, for the sources that start and stop it.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "collect/agent_table.h"
#include "collect/options.h"
#include "collect/program_facts.h"
#include "collect/session.h"
#include "collect/task_finder.h"
#include "collect/task_watch.h"
#include "os/copies_table.h"
#include "os/memory_table.h"

namespace pyrometer {

// Lives until the process ends, as signal handlers and exit handlers look at it; nothing here
// is ever destroyed.
struct Agent {
  AgentOptions options;
  std::string hook;  // the file that loaded us into the program, if one did
  TickContext tick;
  _is* interpreter = nullptr;  // the one that we are part of
  bool can_walk = false;       // the layout is known, and was tested
  bool can_sample = false;
  std::string why_not, why_no_memory, why_no_copies;
  int signal = 0;
  ExactRecording* exact = nullptr;
  LineRecording* lines = nullptr;
  std::span<const char* const> mpi_functions;  // none: nobody tells of MPI calls
  MpiRecording* mpi = nullptr;
  const pyrometer_memory_table* memory_library = nullptr;
  bool memory_came_late = false;  // that was loaded into the running program
  MemoryRecording* memory = nullptr;
  const pyrometer_copies_table* copies_library = nullptr;
  CopyRecording* copies = nullptr;
  RegionRecording* regions = nullptr;
  TaskFinder* task_finder = nullptr;
  TaskRecording* tasks = nullptr;
  TaskWatch* task_watch = nullptr;
  ProgramFacts facts;
  Session* session = nullptr;
  int pid = 0;
  std::atomic<bool> is_paused = false;
};
extern Agent* agent;  // none until something was recorded

// What recordings need, as the options want it; what cannot be had is said in why_not,
// why_no_memory and why_no_copies.
void prepare_engines();
CodeTable* new_code_table(bool deaths_are_reported);
void prepare_tasks();  // of asyncio, also in a forked child
const pyrometer_preload_table* find_preload_library();
void stop_memory();  // at the end of a recording, as the next
void forget_codes();
void watch_the_end();  // of the process, and of the interpreter

// A recording that nothing is written to yet; then it is filled.
Result<void> open_session();
void start_session();

}  // namespace pyrometer
