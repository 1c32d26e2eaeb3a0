#include "report/text_table.h"

#include <algorithm>

#include "base/printable.h"

namespace pyrometer {
namespace {

// A name of a megabyte would push every other column off the screen.
constexpr std::size_t kWidestCell = 120;

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = shorten_front(printable(cell), kWidestCell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::render(const Style& style) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  const auto line = [&](auto cell_of) {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string padding(widths[i] - display_width(cell), ' ');
      const bool is_right = columns_[i].align == Align::kRight;
      text += (i == 0 ? "  " : "   ") + (is_right ? padding + cell : cell + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string out =
      style.dim(line([&](std::size_t i) -> const std::string& { return columns_[i].title; })) +
      "\n";
  for (const auto& row : rows_) {
    out += line([&](std::size_t i) -> const std::string& { return row[i]; }) + "\n";
  }
  return out;
}

}  // namespace pyrometer
