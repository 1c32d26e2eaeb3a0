// Which functions most samples fall into: what `--lines=hot` will measure. Belongs to the
// session's thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collect/code_table.h"

namespace pyrometer {

struct HotFunction {
  std::string file, qualified_name;
  std::uint32_t first_line = 0;

  friend auto operator<=>(const HotFunction&, const HotFunction&) = default;
};

class HotFunctions {
 public:
  void learn(const CodeCopy& code) {
    functions_[code.number] = {code.file, code.qualified_name, code.first_line};
  }
  // A sample whose innermost Python function has this code.
  void saw(std::uint32_t code, std::int64_t weight) {
    ++samples_;
    weights_[code] += weight;
    sum_ += weight;
  }

  // Enough to tell: shares are known to about a tenth.
  bool are_known() const { return samples_ >= 100; }
  // The hottest first: at most ten, each with a twentieth of the time at least.
  std::vector<HotFunction> hottest() const;

 private:
  std::map<std::uint32_t, HotFunction> functions_;
  std::map<std::uint32_t, std::int64_t> weights_;
  std::int64_t sum_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace pyrometer
