#include "collect/agent.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "collect/agent_table.h"
#include "collect/hooks.h"
#include "collect/hooks_lines.h"
#include "collect/program_facts.h"
#include "cpython/python_api.h"
#include "cpython/self_test.h"
#include "os/clocks.h"
#include "os/notice.h"

namespace pyrometer {
namespace {

// Lives until the process ends, as signal handlers and exit handlers look at it; nothing here
// is ever destroyed.
struct Agent {
  AgentOptions options;
  std::string hook;
  TickContext tick;
  bool can_sample = false;
  std::string why_not;
  int signal = 0;
  ExactRecording* exact = nullptr;
  LineRecording* lines = nullptr;
  ProgramFacts facts;
  Session* session = nullptr;
  int pid = 0;
};
Agent* agent = nullptr;

int on_code_event(int event, PyObject* code) {
  constexpr int kDestroyed = 1;
  if (event == kDestroyed) agent->tick.codes->forget(reinterpret_cast<std::uintptr_t>(code));
  return 0;
}

bool watch_code_deaths(const Symbols& symbols) {
  if (symbols.add_code_watcher == nullptr) return false;
  const bool is_watching = symbols.add_code_watcher(&on_code_event) >= 0;
  if (!is_watching) PyErr_Clear();
  return is_watching;
}

void on_process_exit(int status, void*) {
  if (Session* session = current_session()) session->finish(EndReason::kExit, status);
}

// After Ctrl-C Python ends itself with a signal: the interpreter's end may be the process's.
void on_interpreter_end() {
  if (Session* session = current_session()) session->finish(EndReason::kStopped, 0);
}

int is_recording() { return current_session() != nullptr ? 1 : 0; }
void preload_message(const char* sentence) {
  if (Session* session = current_session()) session->message(MessageLevel::kInfo, sentence);
}

void meet_preload_library() {
  static constexpr pyrometer_agent_table kTable = {
      PYROMETER_TABLE_VERSION, sizeof(pyrometer_agent_table), &is_recording, &preload_message};
  const auto* preload =
      static_cast<const pyrometer_preload_table*>(dlsym(RTLD_DEFAULT, PYROMETER_PRELOAD_SYMBOL));
  if (preload != nullptr && preload->version >= 1 && preload->agent_came != nullptr) {
    preload->agent_came(&kTable);
  }
}

void prepare_sampling() {
  agent->tick.symbols = find_symbols();
  auto layout = tested_layout(agent->tick.symbols);
  PyErr_Clear();
  if (!layout) {
    agent->why_not = fmt::format("this Python ({}) cannot be sampled: {}",
                                 agent->facts.python_version, layout.error().message);
    return;
  }
  agent->tick.layout = *layout;
  agent->tick.codes = new CodeTable(agent->tick.layout, watch_code_deaths(agent->tick.symbols));
  agent->signal = install_tick_handler(agent->tick);
  agent->can_sample = agent->signal != 0;
  if (!agent->can_sample) agent->why_not = "all real-time signals are taken; nothing is sampled";
}

void prepare_counting() {
  const AgentOptions& options = agent->options;
  auto* exact = new ExactRecording(
      {.c_callables = options.counts_all_callables ? CCallables::kAll : CCallables::kBuiltin,
       .subtracts_cost = options.subtracts_cost,
       .throttles = options.throttles,
       .timeline = options.timeline});
  const Result<void> started = exact->start();
  PyErr_Clear();
  if (started) {
    agent->exact = exact;
  } else {
    agent->why_not = fmt::format("calls of this Python ({}) cannot be counted: {}",
                                 agent->facts.python_version, started.error().message);
  }
}

// Opens a recording and begins to fill it. On failure the program runs on, unrecorded.
void begin_session() {
  const RecordingHeader header = make_header(agent->options);
  std::int64_t opened = read_clock(CLOCK_REALTIME);
  auto file = AppendFile::create(recording_path(agent->options.run_directory, header, opened));
  if (!file) {
    send_notice(agent->options.notices, file.error().message);
    return;
  }
  agent->session = new Session(agent->options, header, *std::move(file),
                               agent->can_sample ? &agent->tick : nullptr, agent->signal,
                               agent->exact, agent->lines);
  agent->session->recorder().hide_file(agent->hook);
  agent->facts.write(agent->session->recorder());
  agent->session->recorder().attribute("engine", agent->exact != nullptr ? "exact" : "sampling");
  if (!agent->why_not.empty()) {
    agent->session->recorder().message(monotonic_now(), MessageLevel::kWarning, agent->why_not);
    send_notice(agent->options.notices, agent->why_not);
  }
  agent->session->start();
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
  agent->pid = getpid();
  agent->facts = read_program_facts();
  if (agent->options.counts_calls) {
    prepare_counting();
  } else {
    prepare_sampling();
  }
  if (agent->options.measures_lines) {
    agent->lines = new LineRecording({.targets = agent->options.line_targets,
                                      .with_imports = agent->options.line_imports,
                                      .hot = agent->options.hot_lines && agent->can_sample});
  }
  begin_session();
  if (agent->session == nullptr) return;
  agent->session->begin_own_thread(ThreadClass::kMain, "MainThread", "MainThread");
  on_exit(&on_process_exit, nullptr);
  Py_AtExit(&on_interpreter_end);
  install_hooks();
  if (agent->lines != nullptr) {
    const Path targets_file = Path(hook).parent_path().parent_path() / "line_targets.py";
    install_line_hooks(*agent->lines, agent->can_sample ? &agent->tick.layout : nullptr,
                       targets_file);
  }
  meet_preload_library();
}

void before_fork() {
  if (Session* session = current_session()) session->pause();
}

void after_fork_in_parent() {
  if (Session* session = current_session()) session->resume();
}

void after_fork_in_child() {
  if (agent->session == nullptr) return;
  agent->signal = agent->session->signal();
  // The parent's recording, tables and timers are not ours; the memory stays, unused.
  agent->session->forget_after_fork();
  agent->session = nullptr;
  agent->pid = getpid();
  forget_all_threads();
  if (agent->can_sample) {
    agent->tick.codes = new CodeTable(agent->tick.layout, agent->tick.codes->deaths_are_reported());
  }
  if (agent->exact != nullptr) agent->exact->restart_after_fork();
  if (agent->lines != nullptr) agent->lines->restart_after_fork();
  begin_session();
  if (agent->session != nullptr && agent->exact == nullptr) {
    agent->session->begin_own_thread(ThreadClass::kMain, "MainThread", "MainThread");
  }
}

}  // namespace pyrometer
