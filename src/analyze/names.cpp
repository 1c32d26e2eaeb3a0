#include "analyze/names.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::size_t kWidestInSentence = 80;

}  // namespace

std::string_view display_name(const Profile& profile, const Function& function) {
  const std::string_view qualified = profile.text(function.qualified_name);
  return qualified.empty() ? profile.text(function.name) : qualified;
}

std::string display_place(const Profile& profile, const Function& function) {
  return display_place(profile, function, function.first_line);
}

std::string display_place(const Profile& profile, const Function& function, std::uint32_t line) {
  const std::string_view file = profile.text(function.short_file);
  if (file.empty() || file == "~") return {};
  return line == 0 ? std::string(file) : fmt::format("{}:{}", file, line);
}

std::string short_name(const Profile& profile, const Function& function) {
  return shorten_front(printable(display_name(profile, function)), kWidestInSentence);
}

std::string short_place(const Profile& profile, const Function& function) {
  return shorten_front(printable(display_place(profile, function)), kWidestInSentence);
}

std::string standard_name(std::string_view file, std::int64_t line, std::string_view name) {
  if (file != "~" || line != 0) return fmt::format("{}:{}({})", file, line, name);
  const bool has_brackets = name.starts_with('<') && name.ends_with('>');
  if (!has_brackets) return std::string(name);
  return fmt::format("{{{}}}", name.substr(1, name.size() - 2));
}

std::string standard_name(const Profile& profile, const Function& function) {
  // Built-in functions live in the file "~" of pstats; other code without a file likewise.
  const std::string_view file = profile.text(function.file);
  return standard_name(file.empty() ? "~" : file, function.first_line, profile.text(function.name));
}

std::string metric_words(const Metric& metric) {
  switch (metric.unit) {
    case Unit::kNanoseconds: return fmt::format("the {} time", metric.name);
    case Unit::kBytes: return fmt::format("the {} bytes", metric.name);
    case Unit::kCount: break;
  }
  return fmt::format("the {}", metric.name);
}

}  // namespace pyrometer
