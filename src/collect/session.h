// One recording of one process, and the thread of ours that makes it. Started once per
// interpreter, again in a forked child. Threads of the program come and go through
// begin_own_thread() and end_own_thread(); those that native code made are found.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collect/exact_recording.h"
#include "collect/hot_functions.h"
#include "collect/line_recording.h"
#include "collect/options.h"
#include "collect/own_cost.h"
#include "collect/recorder.h"
#include "collect/sampled_thread.h"
#include "collect/sleep_watch.h"
#include "collect/tick.h"
#include "collect/timer_choice.h"
#include "os/append_file.h"
#include "os/loaded_modules.h"

namespace pyrometer {

class Session {
 public:
  // Samples are taken where there is a `tick`, calls are counted where there is an `exact`, lines
  // measured where there are `lines`; with none only facts are recorded.
  Session(const AgentOptions& options, const RecordingHeader& header, AppendFile file,
          TickContext* tick, int signal, ExactRecording* exact, LineRecording* lines);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  Recorder& recorder() { return recorder_; }  // before start() only
  void start();

  // Around a fork: our thread must not be there, for its own sake and because Python warns of
  // forks in processes with several threads. In the child the session is only forgotten.
  void pause();
  void resume() { start(); }
  void forget_after_fork();

  // The calling thread begins or ends. The name is what the program calls it; `kind` what threads
  // that run the same code have in common.
  void begin_own_thread(ThreadClass thread_class, const std::string& name, const std::string& kind);
  void end_own_thread(const std::string& name);

  // The program is about to use this signal itself: we move to another one if it is ours.
  void give_up_signal(int signal);
  int signal() const { return signal_; }

  void message(MessageLevel level, const std::string& sentence);

  // Writes everything and an end record, and waits for that (some seconds at most, whatever the
  // file system does). After an exec that failed recording goes on.
  void finish(EndReason reason, std::int64_t status);

 private:
  static constexpr std::uint32_t kNotRecorded = UINT32_MAX;

  struct KnownThread {
    std::unique_ptr<SampledThread> sampled;
    Recorder::ThreadFacts facts;
    std::uint32_t recorded_as = kNotRecorded;  // native threads only once they did something
    SleepWatch sleep;
    TimerChoice::History timer_history;
    std::vector<std::uint32_t> nodes;  // of its call tree, as nodes of the recording
    bool is_gone = false;
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
  enum class Work : std::uint8_t { kNone, kRequested, kDone };

  void run();
  void work(std::unique_lock<std::mutex>& lock, std::int64_t now);
  void watch_sleepers(std::int64_t now);
  void drain(std::int64_t now);
  void drain_thread(KnownThread& thread);
  bool record(KnownThread& thread, const Sample& sample);
  std::optional<std::uint32_t> node_of(KnownThread& thread, const Sample& sample);
  void learn_nodes(KnownThread& thread);
  void review_threads(std::int64_t now);
  void review_hot_functions(std::int64_t now);
  void find_native_threads(std::int64_t now);
  void review_signal();
  void move_to_another_signal();
  void adapt_rate();
  void retire_gone_threads(std::int64_t now);
  void settle(std::int64_t now, bool is_last);
  void append(const std::string& bytes);
  void write_out(std::unique_lock<std::mutex>& lock);
  void finish_now(std::unique_lock<std::mutex>& lock);
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
  std::atomic<int> signal_;
  std::int64_t rate_;

  std::mutex mutex_;  // everything below but the file, which only our thread touches
  std::condition_variable wake_;
  std::thread worker_;
  bool is_pausing_ = false;
  Work finish_ = Work::kNone;
  bool is_finished_ = false;
  EndRecord end_;

  AppendFile file_;
  bool file_failed_ = false;
  bool warned_of_timers_ = false;
  Recorder recorder_;
  TimerChoice timers_;
  OwnCost cost_;
  LoadedModules modules_;
  std::size_t interpreter_module_ = SIZE_MAX;
  std::size_t own_module_ = SIZE_MAX;
  std::vector<KnownThread> threads_;
  std::map<std::string, ThreadKind> kinds_;
  const std::int64_t started_;
  Pages frame_room_;
  HotFunctions hot_;

  std::int64_t worker_cpu_ = 0;  // of our threads that ended
  Counts counts_of_gone_;
  std::int64_t visit_period_, next_visit_ = 0;
  std::size_t next_visited_ = 0;
  std::int64_t next_drain_ = 0, next_write_ = 0, next_search_ = 0, next_review_ = 0;
  std::minstd_rand random_;
  std::size_t task_count_ = 0;
  std::int64_t next_statistics_ = 0;
};

}  // namespace pyrometer
