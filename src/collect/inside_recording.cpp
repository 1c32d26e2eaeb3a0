#include "collect/inside_recording.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "collect/agent.h"
#include "collect/agent_state.h"
#include "collect/hooks.h"
#include "collect/hooks_lines.h"
#include "collect/hooks_memory.h"
#include "collect/late_memory.h"
#include "cpython/memory.h"
#include "exact/call_events.h"
#include "os/clocks.h"
#include "os/own_thread.h"
#include "os/run_place.h"
#include "os/task_files.h"
#include "record/run_output.h"

namespace pyrometer {
namespace {

RunInfo describe_run(const InsideRequest& request, const RunPlace& place) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  RunInfo info{.launch = place.launch,
               .argv = request.argv,
               .python = request.argv.empty() ? "" : request.argv.front(),
               .host = place.host,
               .launcher = place.rank ? place.rank->launcher : "",
               .size = place.rank ? place.rank->size : 0,
               .start = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
  info.options["began"] = "inside the program";
  if (request.options.counts_calls) info.options["engine"] = "exact";
  if (request.options.rate_is_fixed) info.options["rate"] = std::to_string(request.options.rate);
  return info;
}

// Each recording is a launch of its own, unless it is one of many ranks.
RunPlace find_own_place() {
  static int recordings = 0;
  RunPlace place = find_place();
  if (!place.is_shared) place.launch += fmt::format("#{}", ++recordings);
  return place;
}

// What was asked for and cannot be had; empty: nothing.
std::string why_impossible(const AgentOptions& options) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    return "only the main interpreter of a process can be recorded";
  }
  if (options.memory != MemoryMode::kNone && find_memory_library() == nullptr) {
    const auto library = load_memory_library();
    if (!library) return library.error().message;
  }
  return {};
}

// Where this interpreter keeps what it knows of each thread.
std::map<int, std::uintptr_t> find_thread_states() {
  std::map<int, std::uintptr_t> states;
  const Symbols& symbols = agent->tick.symbols;
  if (!agent->can_sample || symbols.first_thread_state == nullptr ||
      symbols.next_thread_state == nullptr) {
    return states;
  }
  for (auto* state = symbols.first_thread_state(PyInterpreterState_Get()); state != nullptr;
       state = symbols.next_thread_state(state)) {
    const auto address = reinterpret_cast<std::uintptr_t>(state);
    const auto tid = load<std::uint64_t>(
        reinterpret_cast<const char*>(address + agent->tick.layout.thread.native_id));
    states[static_cast<int>(tid)] = address;
  }
  return states;
}

void add_running_threads(const InsideRequest& request) {
  const std::map<int, std::uintptr_t> states = find_thread_states();
  std::vector<int> tids = list_threads();
  std::erase(tids, own_tid());
  for (const int tid : request.left_out) {
    std::erase(tids, tid);
    agent->session->leave_out_thread(tid);
  }
  for (Session::RunningThread thread : request.threads) {
    if (std::erase(tids, thread.tid) == 0) continue;  // it has ended
    const auto state = states.find(thread.tid);
    if (state != states.end()) thread.thread_state = state->second;
    agent->session->add_running_thread(thread);
  }
  for (const int tid : tids) {
    agent->session->add_running_thread({.tid = tid, .name = read_task_name(tid)});
  }
}

// Threads of 3.11 whose only profile function is another profiler's keep it.
void count_calls_of_running_threads() {
  const std::size_t left_out = start_call_events_of_others();
  if (left_out == 0) return;
  agent->session->recorder().message(
      monotonic_now(), MessageLevel::kWarning,
      fmt::format("calls of {} {} are not counted, as another profiler is at work there", left_out,
                  left_out == 1 ? "thread" : "threads"));
}

// Nothing of a recording that ended, or never began, is at work or kept.
void forget_engines() {
  agent->regions->stop();
  if (agent->lines != nullptr) agent->lines->stop();
  stop_memory();
  forget_all_threads();
  delete std::exchange(agent->exact, nullptr);
  forget_codes();
}

// Everything but the directory.
Result<void> begin(const InsideRequest& request) {
  prepare_engines();
  forget_all_threads();
  Result<void> opened = fail(ErrorCode::kUnsupported, "{}", agent->why_not);
  if (agent->why_not.empty()) opened = open_session();
  if (!opened) {
    if (agent->exact != nullptr) agent->exact->stop(0);
    forget_engines();
    return opened;
  }
  watch_the_end();
  install_hooks();
  if (agent->lines != nullptr) {
    install_line_hooks(*agent->lines, nullptr, request.targets_file);
    agent->lines->measure_loaded(request.functions);
  }
  add_running_threads(request);
  if (agent->exact != nullptr) count_calls_of_running_threads();
  const Session::RunningThread& own = request.own_thread;
  agent->session->begin_own_thread(own.thread_class, own.name, own.kind);
  if (agent->exact != nullptr) agent->exact->stand_in(request.codes);
  start_session();
  return {};
}

}  // namespace

Result<Path> begin_inside(const InsideRequest& request) {
  const std::string reason = why_impossible(request.options);
  if (!reason.empty()) return fail(ErrorCode::kUnsupported, "{}", reason);
  const RunPlace place = find_own_place();
  PYROMETER_TRY(const Path directory,
                open_run_directory({.output = request.output,
                                    .folder = request.folder,
                                    .replace = request.replace,
                                    .is_shared = place.is_shared,
                                    .parts = {.script = request.script,
                                              .job = place.job,
                                              .host = place.host,
                                              .pid = static_cast<std::uint64_t>(getpid()),
                                              .rank = place.rank ? place.rank->rank : 0}},
                                   describe_run(request, place)));
  if (agent == nullptr) agent = new Agent;
  if (std::exchange(agent->pid, getpid()) != getpid()) forget_ticks_of_parent();
  if (agent->session != nullptr) agent->session->forget_after_fork();  // native code forked us
  agent->session = nullptr;
  agent->options = request.options;
  agent->options.is_inside = true;
  agent->options.run_directory = std::filesystem::absolute(directory);
  agent->options.launch = place.launch;
  agent->is_paused = false;
  agent->facts = read_program_facts(agent->options);
  const Result<void> begun = begin(request);
  if (begun) return agent->options.run_directory;
  if (!place.is_shared) remove_run(directory);
  return tl::unexpected(begun.error());
}

Result<InsideEnd> end_inside() {
  Session* session = current_session();
  if (session == nullptr || !agent->options.is_inside) {
    return fail(ErrorCode::kUsage, "the program records nothing itself");
  }
  RegionRecording::pause();
  if (agent->lines != nullptr) uninstall_line_hooks();
  uninstall_hooks();
  const auto written = session->stop();
  agent->signal = session->signals().usual;
  agent->session = nullptr;
  agent->is_paused = false;
  const Path& directory = agent->options.run_directory;
  if (!written) {  // our thread is still at work, and keeps what it uses
    stop_memory();
    forget_all_threads();
    return fail(ErrorCode::kIo,
                "the recording in '{}' is not complete, as its file system does "
                "not answer",
                directory.string());
  }
  delete session;
  forget_engines();
  if (!*written) return tl::unexpected(written->error());
  const RunPlace place = find_place();
  if (!place.is_shared) return InsideEnd();
  const bool is_last = mark_end_of_rank(directory, place.rank->rank, place.rank->size);
  return InsideEnd{.has_all = is_last};
}

void pause_recording() {
  Session* session = current_session();
  if (session == nullptr || agent->is_paused.exchange(true)) return;
  RegionRecording::pause();
  if (agent->task_watch != nullptr) agent->task_watch->pause();
  session->pause();
}

void resume_recording() {
  Session* session = current_session();
  if (session == nullptr || !agent->is_paused.exchange(false)) return;
  session->resume();
  RegionRecording::resume();
  if (agent->task_watch != nullptr) agent->task_watch->resume_anew();
}

std::optional<Path> recorded_in() {
  if (current_session() == nullptr) return std::nullopt;
  return agent->options.run_directory;
}

}  // namespace pyrometer
