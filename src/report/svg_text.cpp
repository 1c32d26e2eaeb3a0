#include "report/svg_text.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace pyrometer {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string svg_text(double x, double y, std::string_view css_class, std::string_view text,
                     std::string_view color) {
  const std::string fill = color.empty() ? "" : fmt::format(" fill=\"{}\"", color);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\"{}>{}</text>\n", x, y, css_class,
                     fill, escaped(printable(text)));
}

std::string svg_title(std::string_view text) {
  return fmt::format("<title>{}</title>", escaped(printable(text)));
}

std::string shorten_label(std::string_view text, std::size_t width) {
  std::string clean = printable(text);
  if (display_width(clean) <= width) return clean;
  const std::size_t half = width / 2;
  const std::string front = shorten_back(clean, half);  // ends with its own ellipsis
  const std::string back = shorten_front(clean, width - half + 1);
  return front + back.substr(std::string_view("…").size());
}

}  // namespace pyrometer
