// Memory over time: a curve per process or, of one process, resident memory and heap; the peak is
// marked, functions and regions are bars above (memory_bars.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

#include "base/format_value.h"
#include "report/memory_axes.h"
#include "report/memory_bars.h"
#include "report/memory_curves.h"
#include "report/memory_report.h"
#include "report/svg_text.h"

namespace pyrometer {
namespace {

constexpr std::size_t kWidestLabel = 26;
constexpr std::size_t kWidestTitle = 78;
constexpr double kLineOfWords = 15;
constexpr std::size_t kMostPoints = 1'400;  // of one curve: what the eye can tell apart

// From the beginning to the end, where no window was asked for.
MemoryWindow shown_window(const MemorySubject& subject, const MemoryReportOptions& options) {
  if (options.picture.window) return *options.picture.window;
  MemoryWindow all{0, subject.facts.duration};
  for (const MemorySeries& series : subject.series) {
    all.begin = std::min(all.begin, series.points.front().first);
    all.end = std::max(all.end, series.points.back().first);
  }
  return all;
}

std::string draw_curve(const PlottedCurve& curve, const MemoryAxes& axes) {
  std::string path;
  for (const auto& [time, bytes] : thin_out(curve.shown, kMostPoints)) {
    path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? 'M' : 'L', axes.x(time),
                        axes.y(std::max(0.0, static_cast<double>(bytes))));
  }
  path.pop_back();
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
      "stroke-linejoin=\"round\"/>\n",
      path, curve.color, curve.is_total ? 2.5 : 1.6);
}

// A trend of all the time, whatever part of it is shown, and what is written at its end.
struct PlottedTrend {
  std::string line;
  std::string color;
  std::string words;
  double right = 0;
  double below = 0;  // of the words
};

std::optional<PlottedTrend> plot_trend(const PlottedCurve& curve, const MemoryAxes& axes) {
  const auto trend = trend_of(curve.series);
  if (!trend) return std::nullopt;
  const auto level = [&](std::int64_t time) {
    return axes.y(trend->start + trend->slope * static_cast<double>(time) / 1e9);
  };
  const std::int64_t from = curve.shown.front().first;
  const std::int64_t to = curve.shown.back().first;
  return PlottedTrend{
      fmt::format("<line class=\"trend\" stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                  "y2=\"{:.1f}\"/>\n",
                  curve.color, axes.x(from), level(from), axes.x(to), level(to)),
      curve.color,
      fmt::format("{}/s", format_value(Unit::kBytes, static_cast<std::int64_t>(trend->slope))),
      axes.x(to) - 6, std::clamp(level(to), axes.top(), axes.bottom() - 24) + 18};
}

std::string draw_trends(const std::vector<PlottedCurve>& curves, const MemoryAxes& axes) {
  std::vector<PlottedTrend> trends;
  for (const PlottedCurve& curve : curves) {
    if (curve.is_faint) continue;
    if (auto trend = plot_trend(curve, axes)) trends.push_back(*std::move(trend));
  }
  std::string out;
  for (const PlottedTrend& trend : trends) out += trend.line;
  // Words that would cover each other move apart: down, and up again from the lower edge.
  std::stable_sort(trends.begin(), trends.end(),
                   [](const PlottedTrend& a, const PlottedTrend& b) { return a.below < b.below; });
  double free = 0;
  for (PlottedTrend& trend : trends) {
    trend.below = std::max(trend.below, free);
    free = trend.below + kLineOfWords;
  }
  double floor = axes.bottom() - 6;
  for (PlottedTrend& trend : std::views::reverse(trends)) {
    trend.below = std::min(trend.below, floor);
    floor = trend.below - kLineOfWords;
    out += svg_text(trend.right, trend.below, "label end", trend.words, trend.color);
  }
  return out;
}

std::string draw_peak(const PlottedCurve& curve, const MemoryAxes& axes) {
  const auto [time, bytes] = peak_of(curve.shown);
  const bool is_whole = bytes == peak_of(curve.series.points).second;
  const double x = axes.x(time);
  const double y = axes.y(static_cast<double>(bytes));
  const bool is_right = x > (MemoryAxes::kLeft + MemoryAxes::kWidth - MemoryAxes::kRight) / 2;
  return fmt::format(
             "<line class=\"peak\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" "
             "y2=\"{2:.1f}\"/>\n<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\" "
             "fill=\"{3}\" stroke=\"#fff\"/>\n",
             x, y, axes.bottom(), curve.color) +
         svg_text(
             x + (is_right ? -8 : 8), y - 8, is_right ? "label end" : "label",
             fmt::format("{} {} at {}", is_whole ? "peak" : "highest here",
                         format_value(Unit::kBytes, bytes), format_value(Unit::kNanoseconds, time)),
             curve.color);
}

std::string draw_labels(const std::vector<PlottedCurve>& curves, const MemoryAxes& axes) {
  std::string out;
  double y = axes.top() + 20;
  for (const PlottedCurve& curve : curves) {
    if (curve.is_faint) continue;
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"3\" fill=\"{}\"/>\n",
                       MemoryAxes::kWidth - MemoryAxes::kRight + 14, y - 5, curve.color);
    out += svg_text(MemoryAxes::kWidth - MemoryAxes::kRight + 32, y, "label",
                    shorten_label(curve.label, kWidestLabel), curve.color);
    y += 18;
  }
  return out;
}

MemoryBars choose_bars(const Profile& profile, const MemoryPictureOptions& options,
                       const MemoryWindow& window) {
  if (!options.functions) return {};
  return options.flame ? bars_by_nesting(profile, window) : bars_by_name(profile, window);
}

std::string draw_headings(const MemorySubject& subject, const PlottedCurve& last,
                          const MemoryPictureOptions& options, const MemoryBars& bars) {
  const auto processes = static_cast<std::int64_t>(subject.facts.processes.size());
  std::string of_whom =
      !last.is_total
          ? "of the process"
          : fmt::format("{} of {} processes", name_of(last.series.kind), format_count(processes));
  if (!bars.left_out.empty()) of_whom += "; " + bars.left_out;
  return svg_text(MemoryAxes::kLeft, 32, "title",
                  shorten_label(options.title.value_or("Memory over time"), kWidestTitle)) +
         svg_text(MemoryAxes::kLeft, 54, "name", of_whom);
}

}  // namespace

bool has_memory_within(const MemorySubject& subject, const MemoryWindow& window) {
  return !choose_curves(subject, window).empty();
}

std::string memory_plot(const MemorySubject& subject, const MemoryReportOptions& options) {
  const MemoryWindow window = shown_window(subject, options);
  const std::vector<PlottedCurve> curves = choose_curves(subject, window);
  const PlottedCurve& top = *std::max_element(curves.begin(), curves.end(), has_lower_peak);
  const MemoryBars bars = choose_bars(subject.profile(), options.picture, window);
  const MemoryAxes axes(window, peak_of(top.shown).second, bars.height());
  std::string out =
      axes.begin_picture() + draw_headings(subject, curves.back(), options.picture, bars);
  out += draw_bars(subject.profile(), bars, axes) + axes.grid();
  for (const PlottedCurve& curve : curves) out += draw_curve(curve, axes);
  if (options.slope) out += draw_trends(curves, axes);
  return out + draw_peak(top, axes) + draw_labels(curves, axes) + "</svg>\n";
}

}  // namespace pyrometer
