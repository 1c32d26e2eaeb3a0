// Text in an SVG picture. Names come from anywhere, so this is the only way in.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// <text> at a place, of a class of the picture's style; `color` overrides that of the class.
std::string svg_text(double x, double y, std::string_view css_class, std::string_view text,
                     std::string_view color = {});

// What a mouse that rests on the element around it is told.
std::string svg_title(std::string_view text);

// At most `width` characters, cut in the middle: both the module and the name's end matter.
std::string shorten_label(std::string_view text, std::size_t width);

}  // namespace pyrometer
