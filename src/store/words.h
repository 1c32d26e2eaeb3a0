// The words that stand for enumerators in a merged file: a person who queries it reads
// 'builtin', not 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/merged_tables.h"

namespace pyrometer {

// The enumerator from 0 to `last` with that word.
template <class Enum>
std::optional<Enum> from_word(std::string_view word, Enum last) {
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) {
    if (name_of(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// The two items of a call edge.
inline constexpr std::string_view kEdgeParts[kItemsPerEdge] = {"self", "total"};

// How the text of a source file is kept.
inline constexpr std::string_view kPlainText = "text";
inline constexpr std::string_view kZstdText = "zstd";
inline constexpr std::string_view kHashOnly = "hash";

}  // namespace pyrometer
