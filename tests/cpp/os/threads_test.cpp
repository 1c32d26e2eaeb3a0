// Timers, /proc and modules, seen on this very process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "os/clocks.h"
#include "os/high_descriptor.h"
#include "os/loaded_modules.h"
#include "os/own_thread.h"
#include "os/task_files.h"
#include "os/thread_timer.h"

namespace pyrometer {
namespace {

std::atomic<int> ticks{0};
void count_tick(int) { ++ticks; }

// In user mode for the most part: reading the clock is a system call.
void spin(std::int64_t cpu) {
  const std::int64_t end = own_thread_cpu() + cpu;
  while (own_thread_cpu() < end) {
    std::atomic<int> steps{0};
    while (++steps < 100'000) {
    }
  }
}

// Whether it held within a time that is long on any machine.
template <class Condition>
bool comes_true(const Condition& condition) {
  const std::int64_t end = monotonic_now() + 20'000'000'000;
  while (!condition()) {
    if (monotonic_now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

struct Strike {
  TimerKind kind;
  int signal;
};

class ThreadTimerTest : public ::testing::TestWithParam<Strike> {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_handler = &count_tick;
    action.sa_flags = SA_RESTART;
    sigaction(GetParam().signal, &action, nullptr);
    ticks = 0;
  }
  void TearDown() override { ::signal(GetParam().signal, SIG_DFL); }

  static std::optional<ThreadTimer> start(int tid) {
    return ThreadTimer::start(GetParam().kind, tid, GetParam().signal, 10'000'000, 10'000'000);
  }
};

TEST_P(ThreadTimerTest, StrikesWhileTheThreadRunsAndOnlyThen) {
  auto timer = start(own_tid());
  if (timer) {
    EXPECT_TRUE(timer->go());
  }
  if (!timer) GTEST_SKIP() << "this machine refuses the timer";
  spin(200'000'000);
  const int while_running = ticks;
  EXPECT_GE(while_running, 8);
  EXPECT_LE(while_running, 24);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LE(ticks - while_running, 1);
  EXPECT_TRUE(timer->is_alive());
  timer.reset();
  const int when_stopped = ticks;
  spin(50'000'000);
  EXPECT_EQ(ticks, when_stopped);
}

TEST_P(ThreadTimerTest, CanBeStartedForAnotherThread) {
  std::atomic<int> tid{0};
  std::atomic<bool> may_spin{false};
  std::thread other([&] {
    tid = own_tid();
    while (!may_spin) std::this_thread::yield();
    spin(100'000'000);
  });
  while (tid == 0) std::this_thread::yield();
  auto timer = start(tid);
  if (timer) {
    EXPECT_TRUE(timer->go());
  }
  may_spin = true;
  other.join();
  if (!timer) GTEST_SKIP() << "this machine refuses the timer";
  EXPECT_GE(ticks, 4);
}

INSTANTIATE_TEST_SUITE_P(AllKinds, ThreadTimerTest,
                         ::testing::Values(Strike{TimerKind::kPerf, SIGRTMIN + 12},
                                           Strike{TimerKind::kPerf, SIGTRAP},
                                           Strike{TimerKind::kCpuTimer, SIGRTMIN + 12}));

TEST(ThreadTimer, NoticesThatItsDescriptorWasClosed) {
  auto timer =
      ThreadTimer::start(TimerKind::kPerf, own_tid(), SIGRTMIN + 12, 1'000'000'000, 1'000'000'000);
  if (!timer) GTEST_SKIP() << "this machine refuses the timer";
  ::close(timer->perf_descriptor());
  EXPECT_FALSE(timer->is_alive());
}

TEST(TaskFiles, SeeWhatAThreadIsDoing) {
  std::atomic<int> tid{0};
  std::mutex mutex;
  std::condition_variable wake;
  bool may_end = false;
  std::thread sleeper([&] {
    pthread_setname_np(pthread_self(), "sleeper");
    std::unique_lock lock(mutex);
    tid = own_tid();
    wake.wait(lock, [&] { return may_end; });
  });
  while (tid == 0) std::this_thread::yield();
  WatchedTask task(tid);
  EXPECT_TRUE(comes_true([&] {
    const auto state = task.state();
    return state && !state->is_running && state->system_call == SYS_futex;
  }));
  const auto threads = list_threads();
  EXPECT_NE(std::find(threads.begin(), threads.end(), tid), threads.end());
  EXPECT_EQ(read_task_name(tid), "sleeper");
  const auto asleep = task.state();
  ASSERT_TRUE(asleep);
  EXPECT_FALSE(asleep->is_running);
  EXPECT_EQ(asleep->system_call, SYS_futex);
  EXPECT_NE(asleep->stack_pointer, 0);
  EXPECT_GT(mapping_end(asleep->stack_pointer), asleep->stack_pointer);
  EXPECT_GE(thread_cpu(tid), 0);
  EXPECT_TRUE(task.run_delay());
  const auto own = WatchedTask(own_tid()).state();
  EXPECT_TRUE(own->is_running || own->system_call >= 0);
  {
    const std::lock_guard lock(mutex);
    may_end = true;
  }
  wake.notify_all();
  sleeper.join();
  // The kernel knows one that was joined a moment longer.
  EXPECT_TRUE(
      comes_true([&] { return !task.state() && !task.run_delay() && thread_cpu(tid) == -1; }));
}

TEST(TaskFiles, SeeBlockedSignals) {
  const int signal = SIGRTMIN + 13;
  EXPECT_FALSE(is_signal_blocked(own_tid(), signal));
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_BLOCK, &one, nullptr);
  EXPECT_TRUE(is_signal_blocked(own_tid(), signal));
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

TEST(LoadedModules, FindsTheLibraryOfAnAddress) {
  LoadedModules modules;
  modules.update();
  const auto math = modules.find(reinterpret_cast<std::uintptr_t>(&::getpid));
  ASSERT_TRUE(math);
  EXPECT_NE(modules[*math].path.find("libc"), std::string::npos);
  EXPECT_FALSE(modules.find(8));
  int on_stack = 0;
  EXPECT_FALSE(modules.find(reinterpret_cast<std::uintptr_t>(&on_stack)));
}

TEST(HighDescriptor, StaysAwayFromTheProgramsNumbers) {
  const int low = ::dup(2);
  const int high = move_to_high_number(low);
  EXPECT_GT(high, 100);
  EXPECT_NE(::fcntl(high, F_GETFD), -1);
  EXPECT_EQ(::fcntl(low, F_GETFD), -1);
  EXPECT_TRUE(FileIdentity::of(2).is_behind(high));
  ::close(high);
  EXPECT_FALSE(FileIdentity::of(2).is_behind(high));
}

}  // namespace
}  // namespace pyrometer
