// --sort and --limit of commands whose views show the first rows of some order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"

namespace pyrometer {

inline constexpr const char* kRowsGroup = "Rows";

// --limit of all commands.
struct RowLimit {
  std::optional<std::size_t> given;  // 0: all

  // How many rows to show, `otherwise` where nobody said; nothing: all.
  std::optional<std::size_t> rows(std::size_t otherwise) const;
};
// `usual`: how many without it, and when.
CLI::Option* add_row_limit(CLI::App& command, RowLimit& limit, std::string_view usual);

// CLI11 would read a negative number of an unsigned type as a very large one.
std::string check_not_negative(const std::string& text);

struct RowArguments {
  std::string order;  // empty: the command's own
  RowLimit limit;
};

inline constexpr std::size_t kDefaultRows = 10;

// `of`: what has an order, "lines and functions"; `usual`: which one, unless another is chosen.
void add_row_options(CommandLine& line, CLI::App& command, RowArguments& arguments,
                     const std::vector<std::string>& orders, std::string_view of,
                     std::string_view usual);

// The place of the chosen order among all of them.
Result<std::size_t> find_order(const std::string& order, const std::vector<std::string>& orders);

}  // namespace pyrometer
