#include "report/memory_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/memory/memory_clock.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "report/svg_text.h"

namespace pyrometer {
namespace {

constexpr const char* kPlainColor = "#8c959f";
constexpr const char* kNestedColors[] = {"#f6c28b", "#f4a582", "#fddc9a",
                                         "#e8b4a0", "#ffe3b3", "#f2b56b"};
constexpr double kNamedRowHeight = 15;
constexpr double kGap = 8;  // between the curves and the lowest row
constexpr double kLeastLabelHeight = 12;
constexpr double kLetterWidth = 6.6;
constexpr std::size_t kLeastLetters = 4;
constexpr std::size_t kMostNames = 5;
constexpr std::size_t kMostBars = 2'000;
constexpr std::size_t kWidestLabel = 26;

// The whole name where there is room, or what is after its module.
std::string fitting_name(std::string_view name, double width) {
  const auto room = static_cast<std::size_t>(std::max(0.0, width - 6) / kLetterWidth);
  if (room < kLeastLetters) return {};
  const std::size_t dot = name.rfind('.');
  const bool is_whole = display_width(printable(name)) <= room;
  if (!is_whole && dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return shorten_label(name, room);
}

std::string draw_nested(std::string_view name, const MemoryBar& bar, const char* color, double left,
                        double width, double y, double height) {
  std::string out = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\">{}</rect>\n",
      left, y, width, height, color,
      svg_title(fmt::format("{}: {} from {}", name,
                            format_value(Unit::kNanoseconds, bar.to - bar.from),
                            format_value(Unit::kNanoseconds, bar.from))));
  const std::string shown = height < kLeastLabelHeight ? "" : fitting_name(name, width);
  if (!shown.empty()) out += svg_text(left + 3, y + height - 5, "bar", shown);
  return out;
}

std::string draw_row_labels(const MemoryBars& bars, double lowest) {
  std::string out;
  double free_below = lowest + kLeastLabelHeight;
  for (std::size_t row = 0; row < bars.labels.size(); ++row) {
    const double y = lowest - static_cast<double>(row) * bars.row_height;
    if (bars.labels[row].empty() || free_below - y < kLeastLabelHeight) continue;
    out += svg_text(MemoryAxes::kWidth - MemoryAxes::kRight + 14, y, "tick",
                    shorten_label(bars.labels[row], kWidestLabel));
    free_below = y;
  }
  return out;
}

}  // namespace

std::vector<MemoryBar> find_bars(const Profile& profile, const MemoryWindow& shown) {
  const MemoryClock clock(profile);
  std::vector<MemoryBar> bars;
  for (const Region& region : profile.regions) {
    const ProcessId process = profile.threads[region.thread.row()].process;
    const std::int64_t from = clock.common_time(process, region.start);
    const std::int64_t to = from + region.duration;
    if (from >= shown.end || (from < shown.begin && to <= shown.begin)) continue;
    bars.push_back({region.thread, region.name, from, to, region.depth});
  }
  return bars;
}

void keep_longest(std::vector<MemoryBar>& bars) {
  if (bars.size() <= kMostBars) return;
  std::stable_sort(bars.begin(), bars.end(), [](const MemoryBar& a, const MemoryBar& b) {
    return a.to - a.from > b.to - b.from;
  });
  bars.resize(kMostBars);
}

MemoryBars bars_by_name(const Profile& profile, const MemoryWindow& shown) {
  const std::vector<MemoryBar> found = find_bars(profile, shown);
  std::map<StringId, std::int64_t> durations;
  for (const MemoryBar& bar : found) {
    durations[bar.name] += std::min(bar.to, shown.end) - std::max(bar.from, shown.begin);
  }
  std::vector<StringId> names;
  for (const auto& [name, duration] : durations) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](StringId a, StringId b) { return durations[a] > durations[b]; });
  if (names.size() > kMostNames) names.resize(kMostNames);
  MemoryBars rows{.row_height = kNamedRowHeight};
  for (std::size_t row = 0; row < names.size(); ++row) {
    rows.labels.emplace_back(profile.text(names[row]));
    for (MemoryBar bar : found) {
      if (bar.name != names[row]) continue;
      bar.row = row;
      rows.bars.push_back(bar);
    }
  }
  keep_longest(rows.bars);
  return rows;
}

std::string draw_bars(const Profile& profile, const MemoryBars& bars, const MemoryAxes& axes) {
  std::string out;
  const double lowest = axes.top() - kGap;
  std::map<StringId, const char*> colors;  // the same function is the same colour
  for (const MemoryBar& bar : bars.bars) {
    const double left = axes.x(bar.from);
    const double width = std::max(1.0, axes.x(bar.to) - left - 0.5);
    const double bottom = lowest - static_cast<double>(bar.row) * bars.row_height;
    if (!bars.has_names_inside) {
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"7\" fill=\"{}\" "
          "opacity=\"0.75\"/>\n",
          left, bottom - 8, width, kPlainColor);
      continue;
    }
    const auto color =
        colors.try_emplace(bar.name, kNestedColors[colors.size() % std::size(kNestedColors)]).first;
    const double height = bars.row_height - (bars.row_height > 8 ? 1.0 : 0.6);
    out += draw_nested(profile.text(bar.name), bar, color->second, left, width, bottom - height,
                       height);
  }
  return out + draw_row_labels(bars, bars.has_names_inside ? lowest - 4 : lowest);
}

}  // namespace pyrometer
