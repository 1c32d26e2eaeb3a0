// By what rows are sorted: the words of the command line, which are our own and all of
// pstats'.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

// Costs sort from the largest down, names and places upward.
enum class SortKey : std::uint8_t {
  kSelf,
  kTotal,
  kCalls,
  kPrimitiveCalls,
  kPerCall,
  kSamples,
  kStackSamples,
  kName,
  kFile,
  kLine,
  kStandardName,  // file:line(name) as one text, as pstats prints it
};

constexpr bool is_cost(SortKey key) { return key < SortKey::kName; }

struct SortOrder {
  std::vector<SortKey> keys;
  std::string title;  // "internal time, function name": as pstats calls it
};

// Each argument is a word, or several with commas between. Words of pstats may be cut to a
// prefix by its own rule, and its numbers -1 to 2 are understood.
Result<SortOrder> parse_sort_order(std::span<const std::string> arguments);

// All words in full, for help and completion.
std::vector<std::string_view> sort_words();

}  // namespace pyrometer
