#include "analyze/diff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "analyze/diff_functions.h"
#include "analyze/diff_lines.h"
#include "analyze/diff_noise.h"

namespace pyrometer {
namespace {

// The values of the whole are read off clocks: only the sample at either end is uncertain.
double uncertainty_of_total(const DiffSide& side) {
  double sum = 0;
  for (const CostTable& run : side.runs) sum += quantum_of(run);
  return side.runs.empty() ? 0 : sum / static_cast<double>(side.runs.size());
}

Estimate estimate_total(const DiffSide& side) {
  std::vector<Observation> runs;
  for (const CostTable& run : side.runs) runs.push_back({static_cast<double>(run.total)});
  return estimate(runs);
}

std::vector<LineOfFunction> lines_of(const SideFunction& function, const DiffSide& side) {
  std::vector<LineOfFunction> lines;
  for (const SideRow& row : function.rows) {
    const bool is_function = row.row.line == 0;
    lines.push_back({is_function ? 0 : std::int64_t{row.row.line} - row.row.first_line,
                     side.text && !is_function ? side.text(row.row) : std::string()});
  }
  return lines;
}

class DiffMaker {
 public:
  DiffMaker(const DiffSide& before, const DiffSide& after, double scale)
      : before_(before),
        after_(after),
        scale_(scale),
        nothing_before_(estimate_nothing(before)),
        nothing_after_(estimate_nothing(after)) {}

  void add(const SideFunction* before, const SideFunction* after) {
    const SideFunction none;
    if (before == nullptr) before = &none;
    if (after == nullptr) after = &none;
    const std::vector<LineOfFunction> old_lines = lines_of(*before, before_);
    const std::vector<LineOfFunction> new_lines = lines_of(*after, after_);
    for (const LinePair& pair : match_lines(old_lines, new_lines)) {
      add_row(pair.before ? &before->rows[*pair.before] : nullptr,
              pair.after ? &after->rows[*pair.after] : nullptr);
      rows.back().is_edited = pair.is_edited;
      rows.back().text = pair.after ? new_lines[*pair.after].text : old_lines[*pair.before].text;
    }
  }

  std::vector<DiffRow> rows;

 private:
  void add_row(const SideRow* before, const SideRow* after) {
    const CostRow& shown = after != nullptr ? after->row : before->row;
    DiffRow& row = rows.emplace_back();
    row.file = shown.file;
    row.name = shown.name;
    row.path = shown.path;
    row.first_line = shown.first_line;
    row.line = shown.line;
    row.old_line = before != nullptr ? before->row.line : 0;
    Estimate old_value = nothing_before_;
    Estimate new_value = nothing_after_;
    if (before != nullptr) {
      old_value = before->value;
      row.before = before->value.mean;
      row.hits_before = before->hits;
    }
    if (after != nullptr) {
      new_value = after->value;
      row.after = after->value.mean * scale_;
      row.hits_after = after->hits;
    }
    new_value.variance *= scale_ * scale_;
    row.margin = margin_of_change(old_value, new_value);
  }

  const DiffSide& before_;
  const DiffSide& after_;
  double scale_;
  Estimate nothing_before_, nothing_after_;  // of rows that were not seen there
};

double weight(const DiffRow& row, DiffSort sort) {
  switch (sort) {
    case DiffSort::kChange: return std::abs(row.change());
    case DiffSort::kRelative:
      return std::abs(row.relative().value_or(std::numeric_limits<double>::infinity()));
    case DiffSort::kBefore: return row.before.value_or(0);
    case DiffSort::kAfter: return row.after.value_or(0);
    case DiffSort::kName: break;
  }
  return 0;
}

}  // namespace

std::optional<double> DiffRow::relative() const {
  if (before.value_or(0) == 0) return std::nullopt;
  return change() / *before;
}

bool DiffRow::is_sure() const { return std::abs(change()) > margin; }

Diff make_diff(const DiffSide& before, const DiffSide& after, bool normalise) {
  Diff diff{.metric = after.runs.front().metric};
  for (const DiffSide* side : {&before, &after}) {
    for (const CostTable& run : side->runs) diff.is_sampled |= run.is_sampled;
  }
  const Estimate old_total = estimate_total(before);
  const Estimate new_total = estimate_total(after);
  if (normalise && old_total.mean > 0 && new_total.mean > 0) {
    diff.scale = old_total.mean / new_total.mean;
  }
  diff.total.before = old_total.mean;
  diff.total.after = normalise && diff.scale != 1 ? old_total.mean : new_total.mean;
  diff.total.margin = margin_of_change(old_total, new_total) + uncertainty_of_total(before) +
                      uncertainty_of_total(after);

  DiffMaker maker(before, after, diff.scale);
  const std::vector<SideFunction> old_functions = functions_of(before);
  const std::vector<SideFunction> new_functions = functions_of(after);
  for (const auto& [old_index, new_index] :
       match_functions(old_functions, new_functions, names_to_compare(before, after))) {
    maker.add(old_index ? &old_functions[*old_index] : nullptr,
              new_index ? &new_functions[*new_index] : nullptr);
  }
  diff.rows = std::move(maker.rows);
  return diff;
}

void sort_rows(std::vector<DiffRow>& rows, DiffSort sort) {
  const auto place = [](const DiffRow& row) {
    return std::tie(row.file, row.first_line, row.name, row.line, row.old_line);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const DiffRow& a, const DiffRow& b) {
    if (sort == DiffSort::kName && a.name != b.name) return a.name < b.name;
    const double weight_a = weight(a, sort);
    const double weight_b = weight(b, sort);
    return weight_a != weight_b ? weight_a > weight_b : place(a) < place(b);
  });
}

}  // namespace pyrometer
