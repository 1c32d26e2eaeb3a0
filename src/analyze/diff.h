// What became slower or faster between two versions of a program, by function or by line, and
// whether chance explains it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyze/cost_table.h"

namespace pyrometer {

// A version: one run of it or several, whose mean counts. The text of a line, without indentation,
// is empty where the source is not known.
struct DiffSide {
  std::vector<CostTable> runs;
  std::function<std::string(const CostRow&)> text = {};
};

struct DiffRow {
  std::string file;
  std::string name;
  std::uint32_t first_line = 0;  // here and below: afterwards, or before if it is gone
  std::uint32_t line = 0;        // 0: the whole function
  std::uint32_t old_line = 0;    // before; 0 when the line is new
  std::string path = {};         // of the file, for its source
  std::string text = {};
  bool is_edited = false;                         // the text was another one
  std::optional<double> before = {}, after = {};  // none: it is new, or gone
  std::optional<double> hits_before = {}, hits_after = {};
  double margin = 0;  // half of the 95 % interval of the change; 0: exact

  double change() const { return after.value_or(0) - before.value_or(0); }
  // Relative to before; nothing when there was none.
  std::optional<double> relative() const;
  // Whether chance does not explain it.
  bool is_sure() const;
};

struct Diff {
  Metric metric;
  bool is_sampled = false;  // on either side
  DiffRow total;
  double scale = 1;  // of all values afterwards
  std::vector<DiffRow> rows = {};
};

// Both sides must have runs of the same metric. With `normalise` the values afterwards are scaled
// so that the totals are equal: shares are compared.
Diff make_diff(const DiffSide& before, const DiffSide& after, bool normalise);

enum class DiffSort { kChange, kRelative, kBefore, kAfter, kName };
void sort_rows(std::vector<DiffRow>& rows, DiffSort sort);

}  // namespace pyrometer
