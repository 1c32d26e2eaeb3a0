#include "collect/task_watch.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include "collect/task_names.h"
#include "cpython/python_text.h"
#include "os/clocks.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kPeriod = 20'000'000;  // ns
constexpr std::size_t kMostAtOnce = 256;      // tasks in one visit
constexpr std::int64_t kLeastPause = 500;     // in times what a visit took
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kLongestSilence = 500 * kMillisecond;

// Nothing of the program may run because of us, and collecting garbage would run it.
class NoCollection {
 public:
  NoCollection() : was_on_(PyGC_Disable() != 0) {}
  NoCollection(const NoCollection&) = delete;
  NoCollection& operator=(const NoCollection&) = delete;
  ~NoCollection() {
    if (was_on_) PyGC_Enable();
  }

 private:
  bool was_on_;
};

std::string type_name(PyObject* object) {
  const Reference name = Reference::take(PyType_GetName(Py_TYPE(object)));
  PyErr_Clear();
  return text_of(name.get());
}

// Of the function that a chain begins with.
std::string name_of(std::span<const RawFrame> chain) {
  if (chain.empty()) return {};
  return text_attribute(reinterpret_cast<PyObject*>(chain.front().code), "co_qualname");
}

}  // namespace

TaskWatch::TaskWatch(const Layout& layout, TaskRecording& recording, void (*begin_thread)())
    : layout_(layout), recording_(recording), begin_thread_(begin_thread) {}

void TaskWatch::set_running_loop(PyObject* loop) {
  const KeptError kept;
  std::unique_lock lock(mutex_);
  const std::int64_t now = monotonic_now();
  // What ends here counts up to now. Who runs loop after loop is not to wait for us each time, and
  // Python code that lists tasks is not to run where a profile function of the program's may hear.
  if (!tasks_) tasks_ = AsyncioTasks::find();
  const bool is_quiet = tasks_ && tasks_->lists_all_loops();
  const bool is_worth_it = now - accounted_ > kMillisecond && now >= earliest_visit_;
  if (!loops_.empty() && !is_pausing_) {
    if (is_quiet && is_worth_it) {
      look(lock, now);
    } else {
      add_time(unchanged_);  // until then all stood where they were seen
    }
  }
  if (loops_.empty()) accounted_ = unchanged_ = now;
  std::erase_if(loops_, [](const Loop& known) { return known.tid == own_tid(); });
  if (loop != nullptr) loops_.push_back({own_tid(), loop, own_thread_cpu()});
  if (loops_.empty()) forget_places();
  if (loop != nullptr && !has_thread_ && !is_pausing_) start_thread();
  wake_.notify_all();
}

// Born with all signals blocked: the program's handlers never run on it.
void TaskWatch::start_thread() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  has_thread_ = pthread_create(&thread_, nullptr, &TaskWatch::run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Whoever else stops or starts it meanwhile, in the end it is not there, and we have the GIL.
void TaskWatch::pause() {
  while (must_stop_thread()) {
    PyThreadState* state = PyEval_SaveThread();
    join_thread();
    PyEval_RestoreThread(state);
  }
}

bool TaskWatch::must_stop_thread() {
  const std::lock_guard lock(mutex_);
  is_pausing_ = true;
  return has_thread_;
}

void TaskWatch::join_thread() {
  const std::lock_guard only_one(join_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (!has_thread_) return;
    is_pausing_ = true;
  }
  wake_.notify_all();
  pthread_join(thread_, nullptr);
  const std::lock_guard lock(mutex_);
  has_thread_ = false;
}

void TaskWatch::resume() {
  const std::lock_guard lock(mutex_);
  is_pausing_ = is_over_;
  if (!loops_.empty() && !has_thread_ && !is_over_) start_thread();
}

void TaskWatch::resume_anew() {
  {
    const std::lock_guard lock(mutex_);
    accounted_ = unchanged_ = looked_ = monotonic_now();
    forget_places();
  }
  resume();
}

void TaskWatch::stop() {
  is_over_ = true;
  pause();
}

void TaskWatch::forget_places() {
  standing_.clear();
  running_.clear();
}

// If the interpreter ends although we could not be stopped before, it may end this thread inside
// PyGILState_Ensure by unwinding it: nothing here has a destructor.
void* TaskWatch::run(void* argument) {
  auto* watch = static_cast<TaskWatch*>(argument);
  pthread_setname_np(pthread_self(), "pyrometer");
  watch->begin_thread_();
  watch->tid_ = own_tid();
  while (watch->wait_for_turn()) {
    const PyGILState_STATE state = PyGILState_Ensure();
    watch->visit();
    PyGILState_Release(state);
  }
  watch->cpu_of_ended_ += own_thread_cpu();
  return nullptr;
}

// Until there is something to see; false: we are to end. Comes at random, never in step with the
// program.
bool TaskWatch::wait_for_turn() {
  std::unique_lock lock(mutex_);
  while (!is_pausing_) {
    cpu_ = cpu_of_ended_ + own_thread_cpu();
    if (loops_.empty()) {
      wake_.wait(lock);
      continue;
    }
    std::uniform_int_distribution<std::int64_t> around(kPeriod / 2, kPeriod * 3 / 2);
    const auto turn = std::chrono::steady_clock::now() + std::chrono::nanoseconds(around(random_));
    // Loops that come and go do not bring a turn nearer.
    while (!is_pausing_ && !loops_.empty() &&
           wake_.wait_until(lock, turn) != std::cv_status::timeout) {
    }
    if (is_pausing_ || loops_.empty()) continue;
    const std::int64_t now = monotonic_now();
    const bool has_run = has_any_loop_run();
    if (!has_run) {
      unchanged_ = now;
      if (now - accounted_ > kLongestSilence) add_time(now);
    }
    if ((has_run || parts_left_ > 0) && now >= earliest_visit_) return true;
  }
  return false;
}

bool TaskWatch::has_any_loop_run() const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [](const Loop& loop) { return thread_cpu(loop.tid) != loop.thread_cpu; });
}

void TaskWatch::visit() {
  std::unique_lock lock(mutex_);
  if (!loops_.empty() && !is_pausing_) look(lock, monotonic_now());
}

void TaskWatch::add_time(std::int64_t until) {
  const std::int64_t time = until - accounted_;
  if (time <= 0) return;
  for (const auto& [place, count] : standing_) {
    const double weighed = static_cast<double>(time * count) * weight_;
    recording_.add_waiting(place, static_cast<std::int64_t>(weighed));
  }
  accounted_ = until;
}

// As long as no loop ran, tasks stood where they were; what came after that goes to where they are
// now.
void TaskWatch::look(std::unique_lock<std::mutex>& lock, std::int64_t now) {
  if (!tasks_) return;
  const NoCollection nothing_runs;
  const std::int64_t cpu = own_thread_cpu();
  const bool has_run = has_any_loop_run();
  for (Loop& loop : loops_) loop.thread_cpu = thread_cpu(loop.tid);
  add_time(unchanged_);
  for (const std::uint32_t place : running_) {
    if (unchanged_ > looked_) recording_.saw_block(place, unchanged_ - looked_);
  }
  const AsyncioTasks::List all = list_tasks(lock);
  forget_places();
  looked_ = now;
  meet_tasks(all);
  if (has_run) {
    parts_left_ = all.tasks.size() / kMostAtOnce;
  } else if (parts_left_ > 0) {
    --parts_left_;
  }
  add_time(now);
  unchanged_ = now;
  earliest_visit_ = now + kLeastPause * (own_thread_cpu() - cpu);
}

// From 3.14 on asyncio itself lists them, with some Python code of its own: the GIL may be lost.
AsyncioTasks::List TaskWatch::list_tasks(std::unique_lock<std::mutex>& lock) const {
  std::vector<Reference> loops;
  for (const Loop& loop : loops_) loops.push_back(Reference::share(loop.loop));
  AsyncioTasks::List all;
  lock.unlock();
  for (const Reference& loop : loops) {
    tasks_->list(loop.get(), all);
    if (tasks_->lists_all_loops()) break;
  }
  lock.lock();
  return all;
}

void TaskWatch::meet_tasks(const AsyncioTasks::List& all) {
  const std::size_t count = std::min(all.tasks.size(), kMostAtOnce);
  if (count == 0) return;
  weight_ = static_cast<double>(all.tasks.size()) / static_cast<double>(count);
  if (count == all.tasks.size()) next_task_ = 0;
  for (std::size_t i = 0; i < count; ++i) meet(all.tasks[(next_task_ + i) % all.tasks.size()]);
  next_task_ = (next_task_ + count) % all.tasks.size();
  recording_.end_visit(2 * (all.tasks.size() / count + 1));
}

void TaskWatch::meet(PyObject* task) {
  if (tasks_->is_done(task)) return;
  const Reference loop = tasks_->loop(task);
  const auto runs_it = [&](const Loop& known) { return known.loop == loop.get(); };
  if (std::none_of(loops_.begin(), loops_.end(), runs_it)) return;
  const Reference coroutine = tasks_->coroutine(task);
  if (!coroutine || coroutine.get() == Py_None) return;
  if (!chains_) chains_ = AwaitChains::make(layout_, coroutine.get(), tasks_->future());
  const bool is_running = chains_ && chains_->is_running(coroutine.get());
  AwaitChains::Chain chain;
  std::string awaited;
  if (is_running) {
    if (const auto frame = chains_->frame(coroutine.get())) chain.frames.push_back(*frame);
  } else if (chains_) {
    chain = chains_->read(coroutine.get());
    awaited = tasks_->is_ready(task) ? "(ready, waits for the event loop)"
                                     : awaited_label(chain.awaited.get());
  }
  const std::string name = tasks_->name(task);
  const std::string coroutine_name = name_of(chain.frames);
  const std::uint32_t place =
      recording_.meet({.name = name,
                       .coroutine = coroutine_name,
                       .identity = reinterpret_cast<std::uintptr_t>(task),
                       .frame = chain.frames.empty() ? 0 : chain.frames.front().generator,
                       .chain = chain.frames,
                       .awaited = awaited});
  if (is_running) {
    running_.push_back(place);
  } else {
    ++standing_[place];
  }
}

std::string TaskWatch::awaited_label(PyObject* awaited) const {
  if (awaited == nullptr) return {};
  if (tasks_->is_task(awaited)) {
    const Reference coroutine = tasks_->coroutine(awaited);
    const auto frame = coroutine ? chains_->frame(coroutine.get()) : std::nullopt;
    const std::string coroutine_name = frame ? name_of(std::span(&*frame, 1)) : std::string();
    return "(awaits task " + task_kind(tasks_->name(awaited), coroutine_name) + ")";
  }
  const std::string type = type_name(awaited);
  return "(awaits " + (type == "_GatheringFuture" ? "gather" : type) + ")";
}

}  // namespace pyrometer
