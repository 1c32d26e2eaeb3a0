#include "os/cycle_counter.h"

#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace pyrometer {
namespace {

// The counter must not stop or change its pace, and the kernel must trust it: it knows of
// machines whose counters disagree.
bool counter_is_steady() {
#if defined(__aarch64__)
  return true;  // the architecture says so
#elif defined(__x86_64__)
  unsigned int a = 0;
  unsigned int b = 0;
  unsigned int c = 0;
  unsigned int d = 0;
  constexpr unsigned int kPowerManagement = 0x80000007;
  constexpr unsigned int kInvariant = 1U << 8U;
  if (__get_cpuid(kPowerManagement, &a, &b, &c, &d) == 0 || (d & kInvariant) == 0) return false;
  std::string source;
  std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource") >> source;
  return source == "tsc" || source == "kvm-clock" || source == "hyperv_clocksource_tsc_page";
#else
  return false;
#endif
}

}  // namespace

CycleCounter::CycleCounter()
    : is_steady_(counter_is_steady()), first_count_(read()), first_time_(monotonic_now()) {}

const CycleCounter& CycleCounter::own() {
  static const CycleCounter counter;
  return counter;
}

double CycleCounter::nanoseconds_per_count() const {
  if (!is_steady_) return 1;
  // Reading both clocks takes some 50 ns, which is then a hundred-thousandth.
  constexpr std::int64_t kLongEnough = 5'000'000;
  std::uint64_t count = 0;
  std::int64_t time = 0;
  do {
    time = monotonic_now();
    count = read();
  } while (time - first_time_ < kLongEnough);
  return static_cast<double>(time - first_time_) / static_cast<double>(count - first_count_);
}

}  // namespace pyrometer
