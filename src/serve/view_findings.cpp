#include "serve/view_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/names.h"
#include "serve/percent.h"

namespace pyrometer {
namespace {

constexpr std::string_view kHotFunction = "hot-function";

Finding from_hot_spot(const Overview& overview, const RunSummary::HotSpot& spot) {
  const Metric& metric = overview.profile.metrics[overview.metric.row()];
  std::string evidence = spot.place;
  if (spot.line != 0) {
    evidence += fmt::format(", line {} alone {} %", spot.line, percent(spot.line_share));
    if (!spot.source.empty()) evidence += ": " + spot.source;
  }
  return {.kind = Finding::Kind::kHot,
          .id = std::string(kHotFunction),
          .sentence = fmt::format("{} computes for {} % of {}, native code that it calls included.",
                                  spot.function, percent(spot.share), metric_words(metric)),
          .share = spot.share,
          .function = spot.id,
          .line = spot.line,
          .evidence = std::move(evidence)};
}

}  // namespace

std::vector<Finding> make_view_findings(const Overview& overview, const RunSummary& summary) {
  std::vector<Finding> findings = find_all(overview);
  if (summary.hot_spots.empty() || overview.profile.paths_are_estimated) return findings;
  std::erase_if(findings, [](const Finding& each) { return each.id == kHotFunction; });
  // After the warnings, which come first.
  const auto place = std::find_if(findings.begin(), findings.end(), [](const Finding& each) {
    return each.kind != Finding::Kind::kWarning;
  });
  std::vector<Finding> spots;
  for (const RunSummary::HotSpot& spot : summary.hot_spots) {
    spots.push_back(from_hot_spot(overview, spot));
  }
  findings.insert(place, spots.begin(), spots.end());
  return findings;
}

}  // namespace pyrometer
