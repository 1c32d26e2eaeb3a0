// Names come from programs and files that nobody has checked: before they reach a
// terminal, everything that could move the cursor, change colours or reorder the
// line is shown as an escape sequence instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyrometer {

// Valid UTF-8 without control or direction-changing characters; the rest as \xNN or \uNNNN.
std::string printable(std::string_view text);

// Valid UTF-8 whatever came in: each bad byte becomes U+FFFD.
std::string valid_utf8(std::string_view text);

// Columns that a printable text takes on a terminal (wide characters count two).
std::size_t display_width(std::string_view text);

// At most `width` columns; what is cut at the front is shown as "…".
std::string shorten_front(std::string_view text, std::size_t width);
// The same with the cut at the end.
std::string shorten_back(std::string_view text, std::size_t width);

}  // namespace pyrometer
