#include "cli/row_options.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace pyrometer {

std::optional<std::size_t> RowLimit::rows(std::size_t otherwise) const {
  const std::size_t wanted = given.value_or(otherwise);
  return wanted == 0 ? std::nullopt : std::optional(wanted);
}

CLI::Option* add_row_limit(CLI::App& command, RowLimit& limit, std::string_view usual) {
  return command
      .add_option("-n,--limit,--top", limit.given,
                  fmt::format("Rows to show, 0 for all (default: {})", usual))
      ->check(check_not_negative)
      ->type_name("N");
}

std::string check_not_negative(const std::string& text) {
  return text.starts_with('-') ? "must be 0 or more" : "";
}

void add_row_options(CommandLine& line, CLI::App& command, RowArguments& arguments,
                     const std::vector<std::string>& orders, std::string_view of,
                     std::string_view usual) {
  CLI::Option* order = command
                           .add_option("-s,--sort", arguments.order,
                                       fmt::format("Order of {}: {} (default: {})", of,
                                                   fmt::join(orders, ", "), usual))
                           ->type_name("KEY")
                           ->group(kRowsGroup);
  line.choices[order] = orders;
  add_row_limit(command, arguments.limit, fmt::format("{}; all with --json", kDefaultRows))
      ->group(kRowsGroup);
}

Result<std::size_t> find_order(const std::string& order, const std::vector<std::string>& orders) {
  const auto found = std::find(orders.begin(), orders.end(), order);
  if (found == orders.end()) {
    return fail(ErrorCode::kUsage, "there is no order '{}'; choose one of {}", order,
                fmt::join(orders, ", "));
  }
  return static_cast<std::size_t>(found - orders.begin());
}

}  // namespace pyrometer
