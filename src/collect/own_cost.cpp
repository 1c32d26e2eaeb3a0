#include "collect/own_cost.h"

#include <algorithm>

namespace pyrometer {

void OwnCost::update(std::int64_t handler, std::uint64_t ticks, std::int64_t session,
                     std::int64_t process) {
  const std::int64_t total = handler + session + static_cast<std::int64_t>(ticks) * kDelivery;
  const std::int64_t cost = total - total_;
  const std::int64_t used = process - process_;
  total_ = total;
  process_ = process;
  constexpr std::int64_t kTellingCpu = 200'000'000;
  if (used < kTellingCpu) return;  // too little to judge by
  const double share = static_cast<double>(cost) / static_cast<double>(used);
  if (share > kLimit) {
    const auto fitting = static_cast<std::int64_t>(static_cast<double>(rate_) * kLimit / share);
    rate_ = std::clamp(fitting, kLowestRate, wanted_rate_);
  } else if (share < kLimit / 2 && rate_ < wanted_rate_) {
    rate_ = std::min(wanted_rate_, rate_ + rate_ / 4 + 1);
  }
}

}  // namespace pyrometer
