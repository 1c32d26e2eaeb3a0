#include "export/graph_theme.h"

#include <algorithm>
#include <cmath>

namespace pyrometer {
namespace {

constexpr Rgb kBlack{0, 0, 0};
constexpr Rgb kWhite{255, 255, 255};
constexpr GraphTheme::Hsl kBlackHsl{0, 0, 0};
constexpr double kReadable = 3;  // what WCAG 2 asks of large text and of graphics

constexpr GraphTheme kThemes[] = {
    {.name = "color",
     .description = "blue, green, yellow, red",
     .coldest = {2.0 / 3.0, 0.80, 0.25},
     .hottest = {0, 1, 0.5},
     .gamma = 1},
    {.name = "pink", .description = "pink to red", .coldest = {0, 1, 0.90}, .hottest = {0, 1, 0.5}},
    {.name = "gray",
     .description = "light gray to black",
     .coldest = {0, 0, 0.85},
     .hottest = kBlackHsl},
    {.name = "bw",
     .description = "white on black, heavier ones larger",
     .coldest = kBlackHsl,
     .hottest = kBlackHsl,
     .least_font = 8,
     .most_font = 24,
     .least_pen = 0.1,
     .most_pen = 8},
    {.name = "print",
     .description = "black outlines, heavier ones larger",
     .coldest = kBlackHsl,
     .hottest = kBlackHsl,
     .least_font = 18,
     .most_font = 30,
     .least_pen = 0.1,
     .most_pen = 8,
     .is_filled = false},
    // Hotter is darker, all the way: what red and green say to others, brightness says to all.
    {.name = "safe",
     .description = "pale yellow to dark brown, for colour-blind eyes and gray printers",
     .coldest = {0.15, 0.95, 0.86},
     .hottest = {0.02, 0.95, 0.20},
     .gamma = 1,
     .coldest_edge = 0.35},
};

// One of the three channels; CSS 3's definition.
double channel(double m1, double m2, double hue) {
  if (hue < 0) hue += 1;
  if (hue > 1) hue -= 1;
  if (hue * 6 < 1) return m1 + (m2 - m1) * hue * 6;
  if (hue * 2 < 1) return m2;
  if (hue * 3 < 2) return m1 + (m2 - m1) * (2.0 / 3.0 - hue) * 6;
  return m1;
}

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

Rgb to_rgb(GraphTheme::Hsl color, double gamma) {
  const double hue = color.hue - std::floor(color.hue);
  const double saturation = std::clamp(color.saturation, 0.0, 1.0);
  const double lightness = std::clamp(color.lightness, 0.0, 1.0);
  const double m2 = lightness <= 0.5 ? lightness * (saturation + 1)
                                     : lightness + saturation - lightness * saturation;
  const double m1 = lightness * 2 - m2;
  const auto corrected = [&](double shift) {
    return byte_of(std::pow(channel(m1, m2, hue + shift), gamma));
  };
  return {corrected(1.0 / 3.0), corrected(0), corrected(-1.0 / 3.0)};
}

double luminance(Rgb color) {
  const auto linear = [](std::uint8_t byte) {
    const double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

}  // namespace

std::string Rgb::to_string() const { return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue); }

double contrast(Rgb a, Rgb b) {
  const auto [darker, brighter] = std::minmax({luminance(a), luminance(b)});
  return (brighter + 0.05) / (darker + 0.05);
}

Rgb GraphTheme::color(double weight) const {
  weight = std::clamp(weight, 0.0, 1.0);
  const double way = skew == 1 ? weight : (std::pow(skew, weight) - 1) / (skew - 1);
  const auto between = [way](double from, double to) { return from + way * (to - from); };
  return to_rgb({between(coldest.hue, hottest.hue), between(coldest.saturation, hottest.saturation),
                 between(coldest.lightness, hottest.lightness)},
                gamma);
}

Rgb GraphTheme::edge_color(double weight) const {
  return color(coldest_edge + (1 - coldest_edge) * weight);
}

Rgb GraphTheme::text_color(double weight) const {
  const Rgb own = color(weight);
  if (!is_filled) return own;
  return contrast(own, kWhite) >= contrast(own, kBlack) ? kWhite : kBlack;
}

Rgb GraphTheme::edge_text_color(double weight) const {
  const Rgb own = edge_color(weight);
  return contrast(own, kWhite) >= kReadable ? own : kBlack;
}

double GraphTheme::font_size(double weight) const {
  return std::max(weight * weight * most_font, least_font);
}

double GraphTheme::pen_width(double weight) const { return std::max(weight * most_pen, least_pen); }

double GraphTheme::arrow_size(double weight) const { return 0.5 * std::sqrt(pen_width(weight)); }

std::span<const GraphTheme> graph_themes() { return kThemes; }

Result<GraphTheme> find_graph_theme(std::string_view name) {
  std::string names;
  for (const GraphTheme& theme : kThemes) {
    if (theme.name == name) return theme;
    names += (names.empty() ? "" : ", ") + std::string(theme.name);
  }
  return fail(ErrorCode::kUsage, "there is no colour map '{}'; choose one of {}", name, names);
}

}  // namespace pyrometer
