#include "analyze/restriction.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/printable.h"

namespace pyrometer {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// Words such as "inf" and "nan" are floats for Python, but names for a person.
bool looks_like_number(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

std::string represent(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// In single quotes, unless it has one itself and no double quote.
std::string represent(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (c == quote || c == '\\') out += '\\';
        out += c;
    }
  }
  return printable(out) + quote;
}

}  // namespace

Result<Restriction> Restriction::parse(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
  if (const auto count = parse_number<std::int64_t>(digits)) return Restriction(*count);
  if (looks_like_number(digits)) {
    if (const auto share = parse_number<double>(digits)) {
      if (*share >= 0 && *share <= 1) return Restriction(*share);
      return fail(ErrorCode::kUsage,
                  "the restriction '{}' is no share between 0 and 1; a number of rows has no "
                  "fraction, and a pattern may stand in '({})'",
                  text, text);
    }
  }
  return Restriction(Regex{text, Pattern::parse(text)});
}

Result<void> Restriction::check() const {
  const auto* regex = std::get_if<Regex>(&value_);
  if (regex == nullptr || regex->pattern) return {};
  return tl::unexpected(regex->pattern.error());
}

std::string Restriction::representation() const {
  if (const auto* count = std::get_if<std::int64_t>(&value_)) return fmt::format("{}", *count);
  if (const auto* share = std::get_if<double>(&value_)) return represent(*share);
  return represent(std::get<Regex>(value_).text);
}

std::size_t Restriction::rows_left(std::size_t count) const {
  if (const auto* most = std::get_if<std::int64_t>(&value_)) {
    // A negative number restricts nothing in pstats.
    return *most < 0 ? count : std::min(count, static_cast<std::size_t>(*most));
  }
  const double share = std::get<double>(value_);
  if (share >= 1) return count;
  // Not lround: pstats rounds by adding a half, which differs in the last digit.
  return static_cast<std::size_t>(std::floor(static_cast<double>(count) * share + 0.5));
}

}  // namespace pyrometer
