// What `pyrometer scale` says, in every form. Rows come in the order of the study.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "analyze/scaling.h"

namespace pyrometer {

struct ScaleReportOptions {
  ScalingField field = ScalingField::kSpeedup;
  ScalingOrder order = ScalingOrder::kTime;  // of the rows, to be named
  bool scaled = false;
  std::optional<std::size_t> limit = {};
  bool use_color = false;
  // The text of a row's line with its indentation; empty where it is not known.
  std::function<std::string(const CostRow&)> text = [](const CostRow&) { return std::string(); };
};

std::string scale_text(const Scaling& scaling, const ScaleReportOptions& options);
std::string scale_csv(const Scaling& scaling, const ScaleReportOptions& options);

// The layout of the script that Kratos Multiphysics documents for line_profiler's output:
//   file:function:line: content|value per count|...|seconds|hits
// with the last two of the largest count, then the speed-ups of the whole, as Python prints a dict.
std::string scale_kratos(const Scaling& scaling, const ScaleReportOptions& options);

// docs/scale.schema.json describes it; every field is there.
std::string scale_json(const Scaling& scaling, const ScaleReportOptions& options);

// A chart in SVG: speed-up or efficiency of the whole and of the first rows, with the ideal.
std::string scale_plot(const Scaling& scaling, const ScaleReportOptions& options);

std::string_view name_of(ScalingField field);  // "speedup": as in --field
std::string_view name_of(ScalingOrder order);  // "per-hit": as in --by

}  // namespace pyrometer
