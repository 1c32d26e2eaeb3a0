#include "collect/own_cost.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>

namespace pyrometer {

void OwnCost::update(std::int64_t handler, std::uint64_t ticks, std::int64_t session,
                     std::int64_t process) {
  const std::int64_t total = handler + session + static_cast<std::int64_t>(ticks) * delivery_;
  latest_ = total;
  const auto used = static_cast<double>(process - process_);
  const auto for_session = static_cast<double>(session - session_);
  const double for_ticks = static_cast<double>(total - total_) - for_session;
  constexpr double kTellingCpu = 200e6;
  if (used < kTellingCpu) return;  // too little to judge by; it counts with the next second
  total_ = total;
  session_ = session;
  process_ = process;
  const double limit = std::max(kLimit - for_session / used, kLeastForTicks * kLimit);
  const double share = for_ticks / used;
  if (share > limit) {
    const auto fitting = static_cast<std::int64_t>(static_cast<double>(rate_) * limit / share);
    rate_ = std::clamp(fitting, kLowestRate, wanted_rate_);
  } else if (share < limit / 2 && rate_ < wanted_rate_) {
    rate_ = std::min(wanted_rate_, rate_ + rate_ / 4 + 1);
  }
}

namespace {

bool is_in_a_guest() {
#if defined(__x86_64__)
  unsigned int a = 0;
  unsigned int b = 0;
  unsigned int c = 0;
  unsigned int d = 0;
  constexpr unsigned int kHypervisor = 1U << 31U;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kHypervisor) != 0;
#else
  return false;
#endif
}

}  // namespace

std::int64_t usual_delivery_cost(TimerKind kind, bool traps) {
  if (kind == TimerKind::kCpuTimer || !is_in_a_guest()) return 5'000;
  return traps ? 15'000 : 25'000;
}

}  // namespace pyrometer
