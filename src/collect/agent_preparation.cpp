// What recording needs before it can begin.
#include <dlfcn.h>
#include <pthread.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "collect/agent.h"
#include "collect/agent_state.h"
#include "collect/hooks_asyncio.h"
#include "collect/hooks_memory.h"
#include "collect/late_memory.h"
#include "cpython/python_api.h"
#include "cpython/self_test.h"
#include "lines/line_activations.h"
#include "os/clocks.h"
#include "os/notice.h"
#include "timers/own_timers.h"

namespace pyrometer {

Agent* agent = nullptr;

namespace {

int on_code_event(int event, PyObject* code) {
  constexpr int kDestroyed = 1;
  if (event == kDestroyed && agent->tick.codes != nullptr)
    agent->tick.codes->forget(reinterpret_cast<std::uintptr_t>(code));
  return 0;
}

// By which a program records a part of itself.
constexpr const char* kHiddenFiles[] = {
    "/pyrometer/_recording.py",         "/pyrometer/_recording_request.py",
    "/pyrometer/_command_line.py",      "/pyrometer/_native.py",
    "/pyrometer/_recorded_sources.py",  "/pyrometer/_recorded_calls.py",
    "/pyrometer/_context_wrappers.py",  "/pyrometer/_argparse_switch.py",
    "/pyrometer/_notebook.py",          "/pyrometer/_notebook_run.py",
    "/pyrometer/_notebook_statement.py"};

int code_watcher = -1;

bool watch_code_deaths(const Symbols& symbols) {
  if (symbols.add_code_watcher == nullptr) return false;
  if (code_watcher < 0) code_watcher = symbols.add_code_watcher(&on_code_event);
  if (code_watcher < 0) PyErr_Clear();
  return code_watcher >= 0;
}

// Each interpreter tells of its own code, and we are part of one only.
bool are_other_interpreters_there() {
  const Symbols& symbols = agent->tick.symbols;
  return symbols.newest_interpreter != nullptr &&
         symbols.newest_interpreter() != agent->interpreter;
}

void before_any_fork() {
  if (agent->memory != nullptr) MemoryRecording::before_fork();
}
void after_any_fork_in_parent() {
  if (agent->memory != nullptr) agent->memory->after_fork(false);
}
void after_any_fork_in_child() {
  if (agent->memory != nullptr) agent->memory->after_fork(true);
  if (agent->copies != nullptr) agent->copies->stop();
}
void watch_forks_of_memory() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return;
  pthread_atfork(&before_any_fork, &after_any_fork_in_parent, &after_any_fork_in_child);
}

// What reading this interpreter's frames needs.
Result<void> prepare_walking() {
  if (!agent->can_walk) {
    agent->tick.symbols = find_symbols();
    auto layout = tested_layout(agent->tick.symbols);
    PyErr_Clear();
    if (!layout) return tl::unexpected(layout.error());
    agent->tick.layout = *layout;
    agent->can_walk = true;
  }
  agent->interpreter = PyInterpreterState_Get();
  agent->tick.codes = new_code_table(watch_code_deaths(agent->tick.symbols));
  return {};
}

// Where no frames can be read, MPI calls are still timed, without the lines they come from.
void prepare_mpi() {
  const auto* preload = find_preload_library();
  if (preload == nullptr || preload->size < sizeof(*preload)) return;
  agent->mpi_functions = {preload->mpi_functions, preload->mpi_function_count};
  if (agent->tick.codes == nullptr) [[maybe_unused]]
    const Result<void> ready = prepare_walking();
  agent->mpi = new MpiRecording(agent->mpi_functions, agent->tick, agent->can_sample);
}

// What was asked for but cannot be had is said to the user.
void prepare_memory() {
  if (agent->options.memory == MemoryMode::kNone) return;
  agent->memory_library = find_memory_library();
  agent->memory_came_late = agent->memory_library == nullptr && agent->options.is_inside;
  if (agent->memory_came_late) agent->memory_library = load_memory_library().value_or(nullptr);
  if (agent->memory_library == nullptr) {
    agent->why_no_memory = "memory is not recorded, as LD_PRELOAD did not reach this program";
    return;
  }
  if (agent->tick.codes == nullptr) [[maybe_unused]]
    const Result<void> ready = prepare_walking();
  agent->memory = new MemoryRecording(*agent->memory_library, agent->tick, agent->options.memory);
  if (agent->memory_came_late) begin_late_memory(*agent->memory_library);
  const bool is_of_all = agent->options.memory == MemoryMode::kObjects;
  hook_python_memory(*agent->memory_library, is_of_all ? ObjectEnds::kOfAll : ObjectEnds::kOfFew);
  watch_forks_of_memory();
}

const pyrometer_copies_table* find_copies_library() {
  const auto* library =
      static_cast<const pyrometer_copies_table*>(dlsym(RTLD_DEFAULT, PYROMETER_COPIES_SYMBOL));
  const bool is_usable =
      library != nullptr && library->version >= 1 && library->size >= sizeof(*library);
  return is_usable ? library : nullptr;
}

// Likewise; copies are recorded beside memory, or not at all.
void prepare_copies() {
  if (!agent->options.counts_copies || agent->memory == nullptr) return;
  agent->copies_library = find_copies_library();
  if (agent->copies_library == nullptr) {
    agent->why_no_copies = "copies are not recorded, as LD_PRELOAD did not reach this program";
    return;
  }
  agent->copies = new CopyRecording(*agent->copies_library, *agent->memory, agent->tick);
}

void prepare_sampling() {
  const Result<void> ready = prepare_walking();
  if (!ready) {
    agent->why_not = fmt::format("this Python ({}) cannot be sampled: {}",
                                 agent->facts.python_version, ready.error().message);
    return;
  }
  const bool has_signal = agent->signal != 0 && is_tick_handler_installed(agent->signal);
  if (!has_signal) agent->signal = install_tick_handler(agent->tick);
  agent->can_sample = agent->signal != 0;
  if (!agent->can_sample) agent->why_not = "all real-time signals are taken; nothing is sampled";
}

void prepare_counting() {
  const AgentOptions& options = agent->options;
  auto exact = std::make_unique<ExactRecording>(ExactRecording::Options{
      .c_callables = options.counts_all_callables ? CCallables::kAll : CCallables::kBuiltin,
      .subtracts_cost = options.subtracts_cost,
      .throttles = options.throttles,
      .timeline = options.timeline});
  const Result<void> started = exact->start();
  PyErr_Clear();
  if (started) {
    agent->exact = exact.release();
  } else {
    agent->why_not = fmt::format("calls of this Python ({}) cannot be counted: {}",
                                 agent->facts.python_version, started.error().message);
  }
}

void prepare_lines() {
  if (!agent->options.measures_lines) return;
  const bool has_memory = agent->memory != nullptr && !agent->memory_came_late;
  if (has_memory) LineActivations::measure_memory(*agent->memory_library);
  agent->lines = new LineRecording({.targets = agent->options.line_targets,
                                    .with_imports = agent->options.line_imports,
                                    .hot = agent->options.hot_lines && agent->can_sample,
                                    .will_stop = agent->options.is_inside});
}

void prepare_regions() {
  if (agent->regions == nullptr) {
    agent->regions = new RegionRecording(OwnTimers::get().timers, agent->tick);
  } else {
    agent->regions->restart();
  }
  if (agent->is_paused) RegionRecording::pause();
}

void begin_thread_of_ours() {
  set_own_thread(nullptr);
  if (agent->memory != nullptr) agent->memory->ignore_own_thread();
  if (agent->copies != nullptr) CopyRecording::ignore_own_thread();
}

void on_process_exit(int status, void*) {
  if (Session* session = current_session()) session->finish(EndReason::kExit, status);
}

// After Ctrl-C Python ends itself with a signal: the interpreter's end may be the process's.
void on_interpreter_end() {
  if (Session* session = current_session()) session->finish(EndReason::kStopped, 0);
}

}  // namespace

CodeTable* new_code_table(bool deaths_are_reported) {
  return new CodeTable(agent->tick.layout, deaths_are_reported, &are_other_interpreters_there);
}

const pyrometer_preload_table* find_preload_library() {
  const auto* preload =
      static_cast<const pyrometer_preload_table*>(dlsym(RTLD_DEFAULT, PYROMETER_PRELOAD_SYMBOL));
  return preload == nullptr || preload->version < 1 ? nullptr : preload;
}

// Where tasks work is known from samples, so without those there is little to tell. Loops that run
// already when a program begins to record itself told nobody.
void prepare_tasks() {
  if (!agent->can_sample || agent->options.is_inside) return;
  if (agent->task_finder == nullptr) agent->task_finder = agent->tick.tasks = new TaskFinder;
  agent->task_finder->forget_all();
  agent->tasks = new TaskRecording(*agent->tick.codes, *agent->task_finder);
  agent->task_watch = new TaskWatch(agent->tick.layout, *agent->tasks, &begin_thread_of_ours);
  if (agent->is_paused) agent->task_watch->pause();
  hear_of_loops(*agent->task_watch, *agent->task_finder);
}

void prepare_engines() {
  agent->can_sample = false;
  agent->why_not.clear();
  agent->why_no_memory.clear();
  agent->why_no_copies.clear();
  agent->exact = nullptr;
  agent->lines = nullptr;
  agent->memory = nullptr;
  agent->copies = nullptr;
  if (agent->options.counts_calls) {
    prepare_counting();
  } else {
    prepare_sampling();
  }
  if (!agent->options.is_inside) prepare_mpi();
  prepare_memory();
  prepare_copies();
  prepare_lines();
  prepare_regions();
  prepare_tasks();
}

void stop_memory() {
  if (agent->memory == nullptr) return;
  agent->memory->stop();
  if (agent->memory_came_late) {
    unhook_python_memory();
    end_late_memory(*agent->memory_library);
  }
}

void forget_codes() {
  const Symbols& symbols = agent->tick.symbols;
  if (code_watcher >= 0 && symbols.clear_code_watcher != nullptr) {
    symbols.clear_code_watcher(std::exchange(code_watcher, -1));
    PyErr_Clear();
  }
  // Who is told of memory may still use them.
  if (agent->memory == nullptr) delete agent->tick.codes;
  agent->tick.codes = nullptr;
}

void watch_the_end() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return;
  on_exit(&on_process_exit, nullptr);
  Py_AtExit(&on_interpreter_end);
}

Result<void> open_session() {
  const RecordingHeader header = make_header(agent->options);
  std::int64_t opened = read_clock(CLOCK_REALTIME);
  PYROMETER_TRY(AppendFile file,
                AppendFile::create(recording_path(agent->options.run_directory, header, opened)));
  agent->session =
      new Session(agent->options, header, std::move(file),
                  agent->can_sample ? &agent->tick : nullptr, agent->signal,
                  Session::Engines{agent->exact, agent->lines, agent->mpi, agent->memory,
                                   agent->copies, agent->regions, agent->tasks, agent->task_watch});
  agent->session->recorder().hide_file(agent->hook);
  for (const char* file_of_package : kHiddenFiles) {
    agent->session->recorder().hide_file(file_of_package);
  }
  agent->facts.write(agent->session->recorder());
  if (agent->lines != nullptr) {
    agent->session->recorder().attribute(
        "lines", fmt::format("{}", fmt::join(agent->options.line_targets, " ")));
  }
  agent->session->recorder().attribute("engine", agent->exact != nullptr ? "exact" : "sampling");
  for (const std::string& sentence : {agent->why_not, agent->why_no_memory, agent->why_no_copies}) {
    if (sentence.empty()) continue;
    agent->session->recorder().message(monotonic_now(), MessageLevel::kWarning, sentence);
    send_notice(agent->options.notices, sentence);
  }
  if (agent->memory != nullptr) agent->memory->start(agent->session->recorder());
  if (agent->copies != nullptr) agent->copies->start(agent->session->recorder());
  return {};
}

void start_session() {
  if (agent->is_paused) {
    agent->session->begin_paused();
  } else if (agent->can_sample) {
    begin_ticks();
  }
  agent->session->start();
}

}  // namespace pyrometer
