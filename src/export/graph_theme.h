// The colours and sizes of a call graph: gprof2dot's maps, and one that colour-blind people can
// read.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;

  std::string to_string() const;  // "#0d0d73"
  friend auto operator<=>(const Rgb&, const Rgb&) = default;
};

// How much brighter one of them looks than the other, from 1 to 21, as WCAG 2 defines it.
double contrast(Rgb a, Rgb b);

// All sizes are Graphviz's points. A weight goes from 0 to 1.
struct GraphTheme {
  struct Hsl {
    double hue, saturation, lightness;  // 0 to 1
  };

  std::string_view name;
  std::string_view description;
  Hsl coldest, hottest;
  double gamma = 2.2;
  double least_font = 10, most_font = 10;
  double least_pen = 0.5, most_pen = 4;
  bool is_filled = true;    // else boxes are outlines with coloured text
  double coldest_edge = 0;  // the weight whose colour the lightest arrow has
  double skew = 1;          // below 1: more variety among small weights, above 1: less

  Rgb color(double weight) const;
  Rgb edge_color(double weight) const;
  // Black or white, whatever is easier to read in a box of this weight; outlined boxes have their
  // own colour.
  Rgb text_color(double weight) const;
  // The arrow's own colour where it can be read on white paper, else black.
  Rgb edge_text_color(double weight) const;
  double font_size(double weight) const;
  double pen_width(double weight) const;
  double arrow_size(double weight) const;
};

std::span<const GraphTheme> graph_themes();  // the first one is the default
Result<GraphTheme> find_graph_theme(std::string_view name);

}  // namespace pyrometer
