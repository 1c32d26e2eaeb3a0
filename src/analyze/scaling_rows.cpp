// Which rows of a scaling study are shown first, and what of them.
#include <algorithm>
#include <limits>
#include <map>

#include "analyze/scaling.h"

namespace pyrometer {
namespace {

using FunctionPlace = std::tuple<std::string_view, std::string_view, std::uint32_t>;

FunctionPlace function_of(const ScalingRow& row) {
  return {row.place.file, row.place.name, row.place.first_line};
}

using FunctionTimes = std::map<FunctionPlace, double>;

double weight(const ScalingRow& row, std::size_t run, ScalingOrder order,
              const FunctionTimes& functions) {
  constexpr double kLast = -std::numeric_limits<double>::infinity();
  const std::optional<ScalingPoint>& point = row.points[run];
  if (!point) return kLast;
  switch (order) {
    case ScalingOrder::kTime: return point->time;
    case ScalingOrder::kHits: return point->hits;
    case ScalingOrder::kPerHit: return point->hits > 0 ? point->time / point->hits : kLast;
    case ScalingOrder::kPercent: {
      const double whole = functions.at(function_of(row));
      return whole > 0 ? point->time / whole : kLast;
    }
    case ScalingOrder::kLoss: return point->loss.value_or(kLast);
  }
  return kLast;
}

}  // namespace

void sort_rows(Scaling& scaling, ScalingOrder order) {
  const std::size_t run = scaling.largest();
  FunctionTimes functions;
  for (const ScalingRow& row : scaling.rows) {
    const double time = row.points[run] ? row.points[run]->time : 0;
    functions[function_of(row)] += time;
  }
  // Of a whole function the percentage is that of the run, and thus its time.
  const bool is_of_run = order == ScalingOrder::kPercent && !scaling.is_of_lines;
  const ScalingOrder used = is_of_run ? ScalingOrder::kTime : order;
  std::vector<std::pair<double, std::size_t>> keys;
  for (std::size_t i = 0; i < scaling.rows.size(); ++i) {
    keys.emplace_back(weight(scaling.rows[i], run, used, functions), i);
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ScalingRow> sorted;
  for (const auto& [key, index] : keys) sorted.push_back(std::move(scaling.rows[index]));
  scaling.rows = std::move(sorted);
}

std::optional<double> field_of(const Scaling& scaling, const ScalingRow& row, std::size_t run,
                               ScalingField field, bool scaled) {
  const std::optional<ScalingPoint>& point = row.points[run];
  if (!point) return std::nullopt;
  const auto reference = static_cast<double>(scaling.counts[scaling.reference]);
  switch (field) {
    case ScalingField::kSpeedup:
      if (!point->speedup || !scaled) return point->speedup;
      return *point->speedup * reference;
    case ScalingField::kTime: {
      // With strong scaling a rank's time shrinks as the count grows; a sum over ranks has the
      // count in it already.
      double factor = scaled && !scaling.is_weak ? scaling.ratio(run) : 1;
      if (scaled && scaling.time == RankTime::kSum) factor /= scaling.ratio(run);
      return point->time * factor;
    }
    case ScalingField::kEfficiency: return point->efficiency;
    case ScalingField::kHits: return point->hits;
    case ScalingField::kSerial: return point->serial;
    case ScalingField::kLoss: return point->loss;
  }
  return std::nullopt;
}

}  // namespace pyrometer
