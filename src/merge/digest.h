// Numbers made into one that hardly any other numbers make: to tell processes apart, not to
// protect anything.
#pragma once

#include <cstdint>

namespace pyrometer {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

class Digest {
 public:
  explicit constexpr Digest(std::uint64_t first) : value_(mixed(first)) {}
  constexpr void add(std::uint64_t next) { value_ = mixed(value_ + next); }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

}  // namespace pyrometer
