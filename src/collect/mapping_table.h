// Mappings that were told of, by address. What goes may be several of them, or a part of one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace pyrometer {

class MappingTable {
 public:
  struct Mapping {
    std::uintptr_t end = 0;
    std::int64_t time = 0;  // by a clock that its owner knows
    std::uint32_t site = 0;
  };

  void put(const void* begin, std::size_t size, std::int64_t time, std::uint32_t site) {
    mappings_[address(begin)] = {address(begin) + size, time, site};
  }

  // Calls `gone(mapping, bytes, is_whole)` for each one of which there is something in the range.
  template <class Gone>
  void take(const void* range, std::size_t size, Gone&& gone) {
    const std::uintptr_t begin = address(range);
    const std::uintptr_t end = begin + size;
    auto found = mappings_.upper_bound(begin);
    if (found != mappings_.begin() && std::prev(found)->second.end > begin) --found;
    while (found != mappings_.end() && found->first < end) {
      const std::uintptr_t first = found->first;
      const Mapping mapping = found->second;
      found = mappings_.erase(found);
      gone(mapping, static_cast<std::int64_t>(std::min(end, mapping.end) - std::max(begin, first)),
           begin <= first && end >= mapping.end);
      if (first < begin) mappings_[first] = {begin, mapping.time, mapping.site};
      if (end < mapping.end) mappings_[end] = {mapping.end, mapping.time, mapping.site};
    }
  }

  // visit(begin, mapping)
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const auto& [begin, mapping] : mappings_) visit(begin, mapping);
  }

 private:
  static std::uintptr_t address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }

  std::map<std::uintptr_t, Mapping> mappings_;  // by their beginning; none overlap
};

}  // namespace pyrometer
