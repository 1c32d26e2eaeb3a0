#include "report/memory_curves.h"

#include <algorithm>

#include "report/process_words.h"

namespace pyrometer {
namespace {

// Okabe and Ito's colours, which people with any colour vision tell apart.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#e69f00", "#56b4e9"};
constexpr const char* kTotalColor = "#1f2328";
constexpr const char* kFaintColor = "#b6bfc9";
constexpr std::size_t kMostNamed = std::size(kColors);
constexpr std::size_t kMostCurves = 200;  // of ten thousand ranks, those with the highest peaks

bool is_lower(const TimedValue& a, const TimedValue& b) { return a.second < b.second; }

void cut_curves(std::vector<PlottedCurve>& curves, const MemoryWindow& window) {
  for (PlottedCurve& curve : curves) curve.shown = points_within(curve.series.points, window);
  std::erase_if(curves, [](const PlottedCurve& curve) { return curve.shown.empty(); });
}

std::vector<PlottedCurve> curves_of_one(const MemorySubject& subject, const MemoryWindow& window) {
  std::vector<PlottedCurve> curves;
  for (const MemorySeries& series : subject.series) {
    const bool is_heap = series.kind == MemorySeries::Kind::kHeap;
    curves.push_back(
        {std::string(name_of(series.kind)), is_heap ? kColors[1] : kColors[0], series});
  }
  cut_curves(curves, window);
  return curves;
}

std::vector<PlottedCurve> curves_of_many(const MemorySubject& subject, const MemoryWindow& window) {
  const bool has_heap = std::any_of(
      subject.series.begin(), subject.series.end(),
      [](const MemorySeries& series) { return series.kind == MemorySeries::Kind::kHeap; });
  const auto kind = has_heap ? MemorySeries::Kind::kHeap : MemorySeries::Kind::kResident;
  std::vector<PlottedCurve> curves;
  for (const MemorySeries& series : subject.series) {
    if (series.kind != kind) continue;
    const Process& process = subject.profile().processes[series.process.row()];
    curves.push_back({.label = short_process_words(process),
                      .color = kFaintColor,
                      .series = series,
                      .is_faint = true});
  }
  cut_curves(curves, window);
  std::stable_sort(curves.begin(), curves.end(), [](const PlottedCurve& a, const PlottedCurve& b) {
    return has_lower_peak(b, a);
  });
  if (curves.size() > kMostCurves) curves.resize(kMostCurves);
  for (std::size_t i = 0; i < std::min(kMostNamed, curves.size()); ++i) {
    curves[i].color = kColors[i];
    curves[i].is_faint = false;
  }
  MemorySeries together = series_together(subject.series, kind);
  together.points.pop_back();  // when the last process has ended
  std::vector<PlottedCurve> total{{"together", kTotalColor, std::move(together), true}};
  cut_curves(total, window);
  curves.insert(curves.end(), total.begin(), total.end());
  return curves;
}

}  // namespace

std::vector<PlottedCurve> choose_curves(const MemorySubject& subject, const MemoryWindow& window) {
  const bool is_one = std::all_of(
      subject.series.begin(), subject.series.end(),
      [&](const MemorySeries& series) { return series.process == subject.series.front().process; });
  return is_one ? curves_of_one(subject, window) : curves_of_many(subject, window);
}

TimedValue peak_of(const TimedValues& points) {
  return *std::max_element(points.begin(), points.end(), is_lower);
}

bool has_lower_peak(const PlottedCurve& a, const PlottedCurve& b) {
  return is_lower(peak_of(a.shown), peak_of(b.shown));
}

}  // namespace pyrometer
