#include "collect/hot_functions.h"

#include <algorithm>

namespace pyrometer {

std::vector<HotFunction> HotFunctions::hottest() const {
  constexpr std::size_t kMost = 10;
  constexpr std::int64_t kLeastShare = 20;  // one in so many
  // Code that was compiled again is the same function.
  std::map<HotFunction, std::int64_t> by_function;
  for (const auto& [code, weight] : weights_) {
    const auto known = functions_.find(code);
    if (known != functions_.end()) by_function[known->second] += weight;
  }
  std::vector<std::pair<std::int64_t, HotFunction>> ranked;
  for (const auto& [function, weight] : by_function) {
    if (weight * kLeastShare >= sum_) ranked.emplace_back(weight, function);
  }
  std::sort(ranked.begin(), ranked.end(), std::greater<>());
  std::vector<HotFunction> hottest;
  for (auto& [weight, function] : ranked) {
    if (hottest.size() < kMost) hottest.push_back(std::move(function));
  }
  return hottest;
}

}  // namespace pyrometer
