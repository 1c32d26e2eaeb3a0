#include "collect/agent.h"

#include <unistd.h>

#include "collect/agent_state.h"
#include "collect/hooks.h"
#include "collect/hooks_asyncio.h"
#include "collect/hooks_lines.h"
#include "collect/hooks_regions.h"
#include "os/notice.h"
#include "timers/own_timers.h"

namespace pyrometer {
namespace {

int is_recording() { return current_session() != nullptr ? 1 : 0; }
void preload_message(const char* sentence) {
  if (Session* session = current_session()) session->message(MessageLevel::kInfo, sentence);
}
void preload_attribute(const char* key, const char* value) {
  if (Session* session = current_session()) session->attribute(key, value);
}
void mpi_begin(std::uint32_t function, std::uint64_t bytes, std::uint32_t communicator) {
  const bool is_recorded = agent->mpi != nullptr && !agent->is_paused;
  if (is_recorded) agent->mpi->begin(function, bytes, communicator);
}
void mpi_abort(int code) {
  Session* session = current_session();
  if (session == nullptr) return;
  session->attribute("mpi.abort", std::to_string(code));
  session->message(MessageLevel::kWarning,
                   fmt::format("the program ended all ranks by MPI_Abort with code {}", code));
  session->finish(EndReason::kExit, code & 0xff);
}

void meet_preload_library() {
  static constexpr pyrometer_agent_table kTable = {
      PYROMETER_TABLE_VERSION, sizeof(pyrometer_agent_table),
      &is_recording,           &preload_message,
      &preload_attribute,      &mpi_begin,
      &MpiRecording::end,      &mpi_abort};
  const auto* preload = find_preload_library();
  if (preload != nullptr && preload->agent_came != nullptr) preload->agent_came(&kTable);
}

// Whatever goes wrong is said to the user; the program runs on, unrecorded.
bool begin_session() {
  const Result<void> opened = open_session();
  if (!opened) send_notice(agent->options.notices, opened.error().message);
  if (opened) start_session();
  return opened.has_value();
}

}  // namespace

// A child that native code forked has a copy of all this, but none of our threads.
Session* current_session() {
  return agent == nullptr || agent->pid != getpid() ? nullptr : agent->session;
}

void start_agent(const std::string& hook) {
  if (agent != nullptr) return;
  auto options = read_agent_options();
  if (!options) return;
  agent = new Agent;
  agent->options = *std::move(options);
  agent->hook = hook;
  agent->is_paused = agent->options.begins_paused;
  agent->pid = getpid();
  agent->facts = read_program_facts(agent->options);
  prepare_engines();
  if (!begin_session()) return;
  agent->session->begin_own_thread(ThreadClass::kMain, "MainThread", "MainThread");
  watch_the_end();
  install_hooks();
  if (agent->task_watch != nullptr) install_asyncio_hooks();
  if (agent->lines != nullptr) {
    const Path targets_file = Path(hook).parent_path().parent_path() / "line_targets.py";
    install_line_hooks(*agent->lines, agent->can_sample ? &agent->tick.layout : nullptr,
                       targets_file);
  }
  if (!agent->options.regions.empty()) {
    install_region_hooks(agent->options.regions,
                         agent->tick.codes != nullptr ? &agent->tick.layout : nullptr,
                         Path(hook).parent_path().parent_path() / "timed_functions.py");
  }
  meet_preload_library();
}

void before_fork() {
  Session* session = current_session();
  if (session == nullptr) return;
  if (agent->task_watch != nullptr) agent->task_watch->pause();
  session->before_fork();
}

void after_fork_in_parent() {
  Session* session = current_session();
  if (session == nullptr) return;
  session->after_fork_in_parent();
  if (agent->task_watch != nullptr && !agent->is_paused) agent->task_watch->resume();
}

void after_fork_in_child() {
  if (agent == nullptr || agent->session == nullptr) return;
  agent->signal = agent->session->signals().usual;
  // The parent's recording, tables and timers are not ours; the memory stays, unused.
  agent->session->forget_after_fork();
  agent->session = nullptr;
  agent->pid = getpid();
  forget_ticks_of_parent();
  forget_all_threads();
  if (agent->tick.codes != nullptr) {
    agent->tick.codes = new_code_table(agent->tick.codes->deaths_are_reported());
  }
  if (agent->mpi != nullptr) {
    agent->mpi = new MpiRecording(agent->mpi_functions, agent->tick, agent->can_sample);
  }
  if (agent->memory != nullptr) {
    agent->memory = new MemoryRecording(*agent->memory_library, agent->tick, agent->options.memory);
  }
  if (agent->copies != nullptr) {
    agent->copies = new CopyRecording(*agent->copies_library, *agent->memory, agent->tick);
  }
  agent->regions = new RegionRecording(OwnTimers::get().timers, agent->tick);
  if (agent->is_paused) RegionRecording::pause();
  prepare_tasks();
  if (agent->exact != nullptr) agent->exact->restart_after_fork();
  if (agent->lines != nullptr) agent->lines->restart_after_fork();
  if (begin_session() && agent->exact == nullptr) {
    agent->session->begin_own_thread(ThreadClass::kMain, "MainThread", "MainThread");
  }
}

}  // namespace pyrometer
