#include "analyze/change_limit.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace pyrometer {
namespace {

constexpr std::pair<std::string_view, double> kTimeUnits[] = {
    {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1},
};

}  // namespace

Result<ChangeLimit> ChangeLimit::parse(const std::string& text, Unit unit) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (suffix.starts_with(' ')) suffix.remove_prefix(1);
  const bool is_number = error == std::errc() && std::isfinite(number) && number >= 0;
  if (is_number && suffix == "%") return ChangeLimit{true, number / 100};
  if (is_number && unit == Unit::kNanoseconds) {
    for (const auto& [name, factor] : kTimeUnits) {
      if (suffix == name) return ChangeLimit{false, number * factor};
    }
  }
  if (is_number && unit != Unit::kNanoseconds && suffix.empty()) return ChangeLimit{false, number};
  return fail(ErrorCode::kUsage, "'{}' is no limit for --fail-above; write {} or a percentage: 5%",
              text, unit == Unit::kNanoseconds ? "a time (0.5s, 20ms)" : "a number (1000)");
}

bool ChangeLimit::is_exceeded(const DiffRow& row) const {
  if (row.change() <= 0 || !row.is_sure()) return false;
  if (!is_relative) return row.change() > value;
  const auto relative = row.relative();
  return !relative || *relative > value;  // nothing before: more than any percentage
}

}  // namespace pyrometer
