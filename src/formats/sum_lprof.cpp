#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "base/check.h"
#include "formats/lprof_file.h"

namespace pyrometer {
namespace {

struct LineSum {
  std::int64_t hits = 0;
  double time = 0;
};

// Sums stop at the largest number instead of wrapping.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

std::int64_t rounded(double value) {
  constexpr double kLimit = 9e18;
  return static_cast<std::int64_t>(std::nearbyint(std::clamp(value, -kLimit, kLimit)));
}

}  // namespace

LprofFile sum_lprof(std::span<const LprofFile> files) {
  PYROMETER_CHECK(!files.empty());
  if (files.size() == 1) return files[0];
  // From small units to large ones: the rounding errors are smallest.
  std::vector<const LprofFile*> order;
  for (const LprofFile& file : files) order.push_back(&file);
  std::stable_sort(order.begin(), order.end(),
                   [](const LprofFile* a, const LprofFile* b) { return a->unit < b->unit; });
  LprofFile sum{.functions = {}, .unit = order.back()->unit};
  std::map<std::tuple<std::string_view, std::int64_t, std::string_view>, std::size_t> places;
  std::vector<std::map<std::int64_t, LineSum>> lines;
  for (const LprofFile* file : order) {
    const double factor = file->unit / sum.unit;
    for (const LprofFunction& function : file->functions) {
      const auto [place, is_new] = places.try_emplace(
          {function.file, function.first_line, function.name}, sum.functions.size());
      if (is_new) {
        sum.functions.push_back({function.file, function.first_line, function.name});
        lines.emplace_back();
      }
      for (const LprofLine& line : function.lines) {
        LineSum& total = lines[place->second][line.line];
        total.hits = added(total.hits, line.hits);
        total.time += factor * static_cast<double>(line.time);
      }
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const auto& [line, total] : lines[i]) {
      sum.functions[i].lines.push_back({line, total.hits, rounded(total.time)});
    }
  }
  return sum;
}

}  // namespace pyrometer
