// One program on several counts of processes: how each function or line scales.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/cost_table.h"
#include "analyze/scaling_model.h"
#include "base/result.h"

namespace pyrometer {

struct ScalingRun {
  std::int64_t count = 1;
  std::string name;              // of what was loaded
  std::vector<CostTable> ranks;  // at least one
};

enum class RankTime { kMax, kSum };

struct ScalingOptions {
  bool is_weak = false;
  RankTime time = RankTime::kMax;
  std::optional<std::int64_t> reference = {};  // a count; the smallest by default
};

// One row in one run.
struct ScalingPoint {
  double time = 0;  // of the slowest rank, or of all together
  double wall = 0;  // what speed-ups are made of: of the slowest rank, or of the mean one
  double hits = 0;  // likewise
  // Nothing where the reference has no such row, or one of them took no time.
  std::optional<double> speedup = {}, efficiency = {}, loss = {};
  std::optional<double> serial = {};  // nothing at the reference itself
};

struct ScalingRow {
  CostRow place;                                    // its values do not matter
  std::vector<std::optional<ScalingPoint>> points;  // by run; nothing where it has no such row
  ScalingFit fit = {};
};

struct Scaling {
  Metric metric;
  bool is_of_lines = false;
  bool is_sampled = false;
  bool is_weak = false;
  RankTime time = RankTime::kMax;
  std::vector<std::int64_t> counts;  // ascending
  std::size_t reference = 0;         // a position in them
  ScalingRow total;
  std::vector<ScalingRow> rows;  // by place

  std::size_t largest() const { return counts.size() - 1; }
  double ratio(std::size_t run) const {
    return static_cast<double>(counts[run]) / static_cast<double>(counts[reference]);
  }
};

// Runs in any order, of at least two counts, each once, all of one metric.
Result<Scaling> make_scaling(std::vector<ScalingRun> runs, const ScalingOptions& options);

enum class ScalingOrder { kTime, kHits, kPerHit, kPercent, kLoss };
// The rows by what they are with the largest count, the most expensive first; those that it does
// not have come last. The percentage is of the row's function, as line_profiler has it.
void sort_rows(Scaling& scaling, ScalingOrder order);

enum class ScalingField { kSpeedup, kEfficiency, kTime, kHits, kSerial, kLoss };
// What a row is in one run; nothing where that is not known. `scaled` makes a speed-up one against
// a single process, so that the perfect one is the count, and a time what it would be on the
// reference count, so that the perfect one is the same for all.
std::optional<double> field_of(const Scaling& scaling, const ScalingRow& row, std::size_t run,
                               ScalingField field, bool scaled);

}  // namespace pyrometer
