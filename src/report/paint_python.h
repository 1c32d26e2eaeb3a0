// Colours for a terminal, those that line_profiler has of rich.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

// Python source in colours, line by line, made safe for a terminal.
std::vector<std::string> paint_python(std::span<const std::string> lines);

// The numbers in a text in bold.
std::string paint_numbers(std::string_view text);

// Source as it is, but for what would move the cursor or change colours. Tabs stay.
std::string printable_source(std::string_view text);

}  // namespace pyrometer
