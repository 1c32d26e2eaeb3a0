// Which of the program's named regions were open when, in one thread.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct RegionFrame {
  StringId name;
  FunctionId opener;
  friend auto operator<=>(const RegionFrame&, const RegionFrame&) = default;
};

// Regions that are open together, the outermost first; each combination has a number. 0: none.
class RegionChains {
 public:
  RegionChains() { number({}); }

  std::uint32_t number(const std::vector<RegionFrame>& chain) {
    const auto [found, is_new] =
        numbers_.try_emplace(chain, static_cast<std::uint32_t>(chains_.size()));
    if (is_new) chains_.push_back(&found->first);
    return found->second;
  }
  std::span<const RegionFrame> operator[](std::uint32_t number) const { return *chains_[number]; }

 private:
  std::map<std::vector<RegionFrame>, std::uint32_t> numbers_;
  std::vector<const std::vector<RegionFrame>*> chains_;
};

class OpenRegions {
 public:
  // `regions`: of one thread, in any order. Times are the process's own.
  OpenRegions(std::vector<Region> regions, RegionChains& chains);

  std::uint32_t chain_at(std::int64_t time) const {
    const auto next = first_after(time);
    return next == steps_.begin() ? 0 : std::prev(next)->chain;
  }

  // visit(end of the piece, chain) for each piece of a stretch in which the same ones were open.
  template <class Visit>
  void for_each_piece(std::int64_t begin, std::int64_t end, Visit visit) const {
    std::uint32_t chain = chain_at(begin);
    for (auto next = first_after(begin); next != steps_.end() && next->time < end; ++next) {
      visit(next->time, chain);
      chain = next->chain;
    }
    visit(end, chain);
  }

 private:
  struct Step {
    std::int64_t time = 0;
    std::uint32_t chain = 0;  // from then on
  };
  std::vector<Step>::const_iterator first_after(std::int64_t time) const {
    return std::upper_bound(steps_.begin(), steps_.end(), time,
                            [](std::int64_t at, const Step& step) { return at < step.time; });
  }

  std::vector<Step> steps_;  // by time
};

}  // namespace pyrometer
