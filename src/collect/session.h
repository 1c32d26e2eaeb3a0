// One recording of one process, and the thread of ours that makes it. Started once per
// interpreter, again in a forked child, or whenever the program asks for one. Threads of the
// program come and go through begin_own_thread() and end_own_thread(); those that native code made
// are found.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collect/copy_recording.h"
#include "collect/exact_recording.h"
#include "collect/hot_functions.h"
#include "collect/line_recording.h"
#include "collect/memory_recording.h"
#include "collect/mpi_recording.h"
#include "collect/options.h"
#include "collect/own_cost.h"
#include "collect/recorder.h"
#include "collect/region_recording.h"
#include "collect/sampled_thread.h"
#include "collect/sleep_watch.h"
#include "collect/task_recording.h"
#include "collect/task_watch.h"
#include "collect/thread_pools.h"
#include "collect/tick.h"
#include "collect/timer_choice.h"
#include "collect/tree_nodes.h"
#include "os/append_file.h"
#include "os/loaded_modules.h"

namespace pyrometer {

class Session {
 public:
  // What fills the recording beside samples, where it is there.
  struct Engines {
    ExactRecording* exact = nullptr;
    LineRecording* lines = nullptr;
    MpiRecording* mpi = nullptr;
    MemoryRecording* memory = nullptr;
    CopyRecording* copies = nullptr;
    RegionRecording* regions = nullptr;
    TaskRecording* tasks = nullptr;
    TaskWatch* task_watch = nullptr;  // a thread of ours
  };
  // Samples are taken where there is a `tick`; without anything only facts are recorded.
  Session(const AgentOptions& options, const RecordingHeader& header, AppendFile file,
          TickContext* tick, int signal, const Engines& engines);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  Recorder& recorder() { return recorder_; }  // before start() only
  void start();

  // Around a fork: our thread must not be there, for its own sake and because Python warns of
  // forks in processes with several threads. In the child the session is only forgotten.
  void before_fork();
  void after_fork_in_parent() { start(); }
  void forget_after_fork();

  // Nothing of what happens in between is recorded. With the GIL.
  void pause();
  void resume();
  void begin_paused();  // before start()

  // The calling thread begins or ends. The name is what the program calls it; `kind` what threads
  // that run the same code have in common.
  void begin_own_thread(ThreadClass thread_class, const std::string& name, const std::string& kind);
  void end_own_thread(const std::string& name);

  // A thread that ran before the recording began; what it used until now does not count.
  struct RunningThread {
    int tid = 0;
    ThreadClass thread_class = ThreadClass::kNative;
    std::string name, kind;
    std::uintptr_t thread_state = 0;  // 0: none, or not known
  };
  void add_running_thread(const RunningThread& running);
  // Not the program's, as those of a notebook's kernel; before the session begins.
  void leave_out_thread(int tid) { left_out_.push_back(tid); }

  // The program is about to use this signal itself: we do without it if it is ours.
  void give_up_signal(int signal);
  TickSignals signals() const { return {signal_, trap_}; }

  void message(MessageLevel level, const std::string& sentence);
  void attribute(const std::string& key, const std::string& value);
  // The text of code that is in no file. It is recorded at the end, if the code was seen.
  void keep_source(const std::string& file, const std::string& text);

  // As of MemoryRecording; where memory is not recorded there are none.
  bool begin_memory_window(bool of_own_thread, bool hears_objects);
  std::optional<MemoryRecording::WindowFigures> end_memory_window(std::size_t most);

  // Writes everything and an end record, and waits for that (some seconds at most, whatever the
  // file system does). After an exec that failed recording goes on.
  void finish(EndReason reason, std::int64_t status);

  // Ends the recording for good while the program goes on; nothing of it is at work afterwards, and
  // it can be destroyed. Nothing when the file system does not answer: then our thread is still at
  // it. An error says what could not be written.
  std::optional<Result<void>> stop();

 private:
  static constexpr std::uint32_t kNotRecorded = UINT32_MAX;

  struct KnownThread {
    std::unique_ptr<SampledThread> sampled;
    Recorder::ThreadFacts facts;
    std::uint32_t recorded_as = kNotRecorded;  // native threads only once they did something
    SleepWatch sleep;
    TimerChoice::History timer_history;
    TreeNodes nodes;
    std::uint32_t last_node = Recorder::kNoNode;
    bool was_native = false;                       // at that node
    std::uint32_t last_place = Recorder::kNoNode;  // in Python
    bool is_gone = false;
  };
  // What a thread used after its last sample.
  struct Rest {
    const SampledThread* thread = nullptr;
    std::int64_t cpu = 0, system = 0;
  };
  // Threads that run the same code. What they used after their last sample, or without one, is
  // spread over the places where others of their kind were seen.
  struct ThreadKind {
    std::int64_t left_cpu = 0, left_system = 0;
    std::map<std::pair<std::uint32_t, bool>, std::int64_t> places;  // node and is_native: samples
    std::uint32_t recorded_as = kNotRecorded;
  };
  struct Counts {
    std::uint64_t taken = 0, rejected = 0, lost = 0;
    std::int64_t handler_time = 0;
    Counts& operator+=(const Counts& more) {
      taken += more.taken;
      rejected += more.rejected;
      lost += more.lost;
      handler_time += more.handler_time;
      return *this;
    }
  };
  // While it lives, time of the calling thread stands still: it waits for us.
  class OwnWait;
  // What our thread is asked for by another, which waits for it.
  enum class Work : std::uint8_t { kNone, kFinish, kPause, kResume, kDone };

  // Under the lock. Where the system allows no more threads, whatever the program does next with
  // us tries again: until then samples wait in their rings, and what those cannot hold is lost.
  void start_worker();
  void run();
  void work(std::unique_lock<std::mutex>& lock, std::int64_t now);
  // True when our thread did it in time.
  bool ask(Work work);
  void do_asked(std::unique_lock<std::mutex>& lock);
  void pause_now(std::int64_t now);
  void resume_now(std::int64_t now);
  void end_sleeps(std::int64_t now);
  void hold_threads(std::int64_t now);
  void write_paused_time(std::int64_t now);
  void watch_sleepers(std::int64_t now);
  bool visit_sleepers(std::int64_t now, std::int64_t longest_round);
  void drain(std::int64_t now);
  void drain_thread(KnownThread& thread);
  void drain_codes();
  bool record(KnownThread& thread, const Sample& sample);
  bool record_in_mpi(KnownThread& thread, const Sample& sample);
  void record_task(KnownThread& thread, const Sample& sample);
  static Rest rest_of(const SampledThread& own);  // the calling thread
  static std::optional<std::int64_t> counted_cpu(const SampledThread& thread);
  static Rest rest_of_other(const SampledThread& thread);  // one that does not tick now
  void record_rest(const Rest& rest);
  std::uint32_t record_of(KnownThread& thread);
  std::optional<std::uint32_t> find_recorded_thread(int tid);
  MpiRecording::KnownThread find_mpi_thread(const MpiThread& mpi);
  void look_at_memory(std::int64_t now);
  void write_memory(std::int64_t now, bool is_last);
  std::optional<std::uint32_t> node_of(KnownThread& thread, const Sample& sample);
  void review_threads(std::int64_t now);
  void review_hot_functions(std::int64_t now);
  void find_native_threads(std::int64_t now);
  void review_signals();
  void do_without(int signal);
  void adapt_rate();
  void retire_gone_threads(std::int64_t now);
  void settle(std::int64_t now, bool is_last);
  void append(const std::string& bytes);
  void write_out(std::unique_lock<std::mutex>& lock);
  void finish_now();
  void add_thread(std::unique_ptr<SampledThread> sampled, const Recorder::ThreadFacts& facts);
  static Counts counts_of(const SampledThread& thread);
  Counts counts() const;
  void write_statistics();
  void spread_left_over(std::int64_t at_least);
  void update_record(const KnownThread& thread);
  std::int64_t period() const { return 1'000'000'000 / rate_; }

  const AgentOptions options_;
  TickContext* const tick_;
  ExactRecording* const exact_;
  LineRecording* const lines_;
  MpiRecording* const mpi_;
  MemoryRecording* const memory_;
  CopyRecording* const copies_;
  RegionRecording* const regions_;
  TaskRecording* const tasks_;
  TaskWatch* const task_watch_;
  const std::function<void()> drain_codes_;
  const std::function<std::optional<std::uint32_t>(int tid)> find_thread_;
  const MpiRecording::FindThread find_mpi_thread_;
  std::atomic<int> signal_;
  std::int64_t rate_;

  std::mutex mutex_;  // everything below but the file, which only our thread touches
  std::condition_variable wake_;
  std::thread worker_;
  bool is_started_ = false;
  bool warned_of_worker_ = false;
  bool is_forking_ = false;
  Work asked_ = Work::kNone;
  bool is_finished_ = false;
  bool is_stopping_ = false;  // for good, when finished
  bool is_paused_ = false;
  std::int64_t paused_since_ = 0, paused_time_ = 0;  // the latter without the pause that goes on
  EndRecord end_;
  Rest rest_;

  AppendFile file_;
  Result<void> written_;  // an error: no more is written
  bool warned_of_timers_ = false;
  Recorder recorder_;
  TimerChoice timers_;
  std::atomic<int> trap_;  // SIGTRAP, or 0
  OwnCost cost_;
  LoadedModules modules_;
  ThreadPools pools_;
  std::size_t interpreter_module_ = SIZE_MAX;
  std::size_t own_module_ = SIZE_MAX;
  std::size_t memory_module_ = SIZE_MAX, copies_module_ = SIZE_MAX;
  std::vector<KnownThread> threads_;
  std::map<std::string, ThreadKind> kinds_;
  std::map<std::string, std::string> sources_;  // by file
  const std::int64_t started_;
  const std::int64_t cpu_before_;  // of the process, that is not recorded
  Pages frame_room_;
  HotFunctions hot_;

  std::int64_t worker_cpu_ = 0;  // of our threads that ended
  Counts counts_of_gone_;
  std::int64_t visit_period_, next_visit_ = 0;
  std::size_t next_visited_ = 0;
  std::int64_t next_drain_ = 0, next_write_ = 0, next_search_ = 0, next_review_ = 0;
  std::int64_t look_period_, next_look_ = 0;
  std::minstd_rand random_;
  std::size_t task_count_ = 0;
  std::vector<int> left_out_;  // tids
  std::int64_t next_statistics_ = 0;
};

}  // namespace pyrometer
