// Builds a PstatsFile out of entries in any order: finds or adds functions by label and
// sums what comes more than once. Sums stop at the largest number instead of wrapping.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "formats/pstats_file.h"

namespace pyrometer {

void add_cost(PstatsCost& into, const PstatsCost& cost);

class PstatsMerger {
 public:
  // Equal texts have equal numbers. Comparing numbers keeps a label cheap to look up
  // even if a hostile file gives a thousand functions the same megabyte of name.
  using TextNumber = std::uint32_t;
  TextNumber text(std::string_view text);

  // The index of the function with this label, which is added when it is new.
  std::uint32_t function(TextNumber file, std::int32_t line, TextNumber name);
  std::size_t function_count() const { return file_.functions.size(); }

  // A function has an entry of its own once it has a cost, if only of zeros.
  void add_cost(std::uint32_t function, const PstatsCost& cost);
  void add_caller(std::uint32_t function, const PstatsCaller& caller);

  // Sums the callers that came more than once, which finish() does too: what many files add
  // up to then takes no more memory than their union.
  void merge_callers();
  PstatsFile finish(bool sampled);

 private:
  struct Label {
    TextNumber file;
    std::int32_t line;
    TextNumber name;
    friend auto operator<=>(const Label&, const Label&) = default;
  };

  PstatsFile file_;
  // Ordered maps: no choice of names makes them slow.
  std::map<std::string, TextNumber, std::less<>> numbers_;
  std::vector<const std::string*> texts_;
  std::map<Label, std::uint32_t> functions_;
};

}  // namespace pyrometer
