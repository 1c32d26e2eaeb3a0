#include "report/memory_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format_value.h"
#include "report/svg_text.h"

namespace pyrometer {
namespace {

constexpr int kMostMarks = 8;
constexpr double kHeadings = 71, kFieldHeight = 348, kBottom = 56;

constexpr std::string_view kStyle =
    "text { font-family: system-ui, \"Helvetica Neue\", Helvetica, Arial, \"DejaVu Sans\", "
    "sans-serif; }\n"
    ".title { font-size: 19px; font-weight: 600; fill: #1f2328; }\n"
    ".name { font-size: 13px; fill: #59636e; }\n"
    ".tick { font-size: 12px; fill: #59636e; }\n"
    ".label { font-size: 13px; paint-order: stroke; stroke: #fff; stroke-width: 4px; "
    "stroke-linejoin: round; }\n"  // readable on curves
    ".bar { font-size: 11px; fill: #1f2328; }\n"
    ".middle { text-anchor: middle; }\n"
    ".end { text-anchor: end; }\n"
    ".grid { stroke: #e4e8ec; }\n"
    ".axis { stroke: #818b98; }\n"
    ".peak { stroke: #818b98; stroke-dasharray: 3 4; }\n"
    ".trend { stroke-width: 1.5; stroke-dasharray: 7 5; clip-path: url(#field); }\n";

// 1, 2 or 5 times a power of ten that gives few enough marks.
double round_step(double range) {
  const double least = range / kMostMarks;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

// The same in the unit that sizes of this range are written in.
double round_byte_step(double range) {
  double unit = 1;
  while (range / unit >= 1024) unit *= 1024;
  return std::max(1.0, round_step(range / unit) * unit);
}

}  // namespace

MemoryAxes::MemoryAxes(const MemoryWindow& shown, std::int64_t most, double bars_height)
    : top_(kHeadings + bars_height),
      begin_(static_cast<double>(shown.begin) / 1e9),
      length_(std::max(1e-9, static_cast<double>(shown.end - shown.begin) / 1e9)),
      second_(round_step(length_)),
      high_(std::max(1.0, static_cast<double>(most))),
      step_(round_byte_step(high_)) {
  high_ = std::ceil(high_ * 1.04 / step_) * step_;
}

double MemoryAxes::x(std::int64_t time) const {
  const double place = (static_cast<double>(time) / 1e9 - begin_) / length_;
  return kLeft + std::clamp(place, 0.0, 1.0) * (kWidth - kLeft - kRight);
}

double MemoryAxes::y(double bytes) const { return bottom() - bytes / high_ * kFieldHeight; }

double MemoryAxes::bottom() const { return top_ + kFieldHeight; }

std::string MemoryAxes::begin_picture() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<style>\n{2}</style>\n<clipPath id=\"field\"><rect x=\"{3}\" y=\"{4}\" "
      "width=\"{5}\" height=\"{6}\"/></clipPath>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      kWidth, bottom() + kBottom, kStyle, kLeft, top_, kWidth - kLeft - kRight, kFieldHeight);
}

std::string MemoryAxes::grid() const {
  std::string out;
  for (int i = 0; i * step_ <= high_ * (1 + 1e-9); ++i) {
    const double at = y(i * step_);
    out += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>\n",
                       kLeft, at, kWidth - kRight, at);
    out += svg_text(kLeft - 10, at + 4, "tick end",
                    format_value(Unit::kBytes, static_cast<std::int64_t>(i * step_)));
  }
  const double first = std::ceil(begin_ / second_ - 1e-9);
  for (int i = 0; i <= kMostMarks; ++i) {
    const double seconds = (first + i) * second_ + 0.0;  // never -0
    if (seconds > begin_ + length_ * (1 + 1e-9)) break;
    const double at = x(std::llround(seconds * 1e9));
    out +=
        fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n",
                    at, bottom(), bottom() + 5);
    out += svg_text(at, bottom() + 20, "tick middle", fmt::format("{:.10g}", seconds));
  }
  out += fmt::format("<line class=\"axis\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kLeft,
                     bottom(), kWidth - kRight, bottom());
  return out + svg_text((kLeft + kWidth - kRight) / 2, bottom() + 42, "name middle", "seconds");
}

}  // namespace pyrometer
