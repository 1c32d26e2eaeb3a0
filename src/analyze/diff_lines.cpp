#include "analyze/diff_lines.h"

#include <algorithm>

namespace pyrometer {
namespace {

// Cells of the table of the longest common subsequence: 16 MB. Longer functions than two thousand
// changed lines are compared by position.
constexpr std::size_t kMostCells = 4'000'000;

bool has_text(std::span<const LineOfFunction> lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const auto& line) { return !line.text.empty(); });
}

std::vector<LinePair> match_by_offset(std::span<const LineOfFunction> before,
                                      std::span<const LineOfFunction> after) {
  std::vector<LinePair> pairs;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    const bool has_before =
        i < before.size() && (j == after.size() || before[i].offset <= after[j].offset);
    const bool has_after =
        j < after.size() && (i == before.size() || after[j].offset <= before[i].offset);
    LinePair& pair = pairs.emplace_back();
    if (has_before) pair.before = i++;
    if (has_after) pair.after = j++;
  }
  return pairs;
}

// lengths[i][j]: of the longest common subsequence of what follows i and j.
class CommonLines {
 public:
  CommonLines(std::span<const LineOfFunction> before, std::span<const LineOfFunction> after)
      : width_(after.size() + 1), lengths_((before.size() + 1) * width_) {
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t j = after.size(); j-- > 0;) {
        lengths_[i * width_ + j] = before[i].text == after[j].text
                                       ? at(i + 1, j + 1) + 1
                                       : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint32_t at(std::size_t i, std::size_t j) const { return lengths_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> lengths_;
};

// Lines between two equal ones, [i, i_end) and [j, j_end).
void add_gap(std::vector<LinePair>& pairs, std::size_t i, std::size_t i_end, std::size_t j,
             std::size_t j_end) {
  if (i_end - i == j_end - j) {
    for (; i < i_end; ++i, ++j) pairs.push_back({i, j, true});
    return;
  }
  for (; i < i_end; ++i) pairs.push_back({.before = i});
  for (; j < j_end; ++j) pairs.push_back({.after = j});
}

std::vector<LinePair> match_by_text(std::span<const LineOfFunction> before,
                                    std::span<const LineOfFunction> after) {
  const CommonLines common(before, after);
  std::vector<LinePair> pairs;
  std::size_t i = 0, j = 0, gap_i = 0, gap_j = 0;
  while (i < before.size() && j < after.size()) {
    if (before[i].text == after[j].text) {
      add_gap(pairs, gap_i, i, gap_j, j);
      pairs.push_back({i++, j++, false});
      gap_i = i;
      gap_j = j;
    } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  add_gap(pairs, gap_i, before.size(), gap_j, after.size());
  return pairs;
}

}  // namespace

std::vector<LinePair> match_lines(std::span<const LineOfFunction> before,
                                  std::span<const LineOfFunction> after) {
  const bool is_small = (before.size() + 1) * (after.size() + 1) <= kMostCells;
  return has_text(before) && has_text(after) && is_small ? match_by_text(before, after)
                                                         : match_by_offset(before, after);
}

}  // namespace pyrometer
