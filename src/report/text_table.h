// Columns that line up on a terminal, and colours when there is one. Cells are made
// printable here, so no name from a profile can reach the terminal raw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

class Style {
 public:
  explicit Style(bool use_color) : use_color_(use_color) {}
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string red(std::string_view text) const { return paint("31", text); }
  std::string green(std::string_view text) const { return paint("32", text); }
  std::string yellow(std::string_view text) const { return paint("33", text); }

 private:
  std::string paint(const char* code, std::string_view text) const {
    if (!use_color_) return std::string(text);
    return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
  }
  bool use_color_;
};

class TextTable {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string render(const Style& style) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pyrometer
