#include "base/format_value.h"

#include <fmt/format.h>

#include <cmath>

namespace pyrometer {
namespace {

// Three significant digits, so that columns stay narrow and comparable.
std::string three_digits(double value, const char* unit) {
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{} {}", format_count(std::llround(value)), unit);
  if (size >= 9.995) return fmt::format("{:.1f} {}", value, unit);
  return fmt::format("{:.2f} {}", value, unit);
}

std::string format_duration(std::int64_t nanoseconds) {
  const auto value = static_cast<double>(nanoseconds);
  const double size = std::abs(value);
  if (nanoseconds == 0) return "0 s";
  if (size >= 0.9995e9) return three_digits(value / 1e9, "s");
  if (size >= 0.9995e6) return three_digits(value / 1e6, "ms");
  if (size >= 0.9995e3) return three_digits(value / 1e3, "µs");
  return fmt::format("{} ns", nanoseconds);
}

std::string format_bytes(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::abs(value) >= 1023.5 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", format_count(bytes)) : three_digits(value, kUnits[unit]);
}

}  // namespace

std::string format_count(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string format_value(Unit unit, std::int64_t value) {
  switch (unit) {
    case Unit::kNanoseconds: return format_duration(value);
    case Unit::kBytes: return format_bytes(value);
    case Unit::kCount: return format_count(value);
  }
  return format_count(value);
}

std::string format_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string format_plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", format_count(static_cast<std::int64_t>(count)),
                     count == 1 ? one : many);
}

}  // namespace pyrometer
