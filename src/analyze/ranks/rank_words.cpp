#include "analyze/ranks/rank_words.h"

#include <fmt/format.h>

#include "analyze/names.h"
#include "base/format_value.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostRanges = 5;
constexpr double kLargestTime = 9e18;  // that fits nanoseconds of 64 bits

}  // namespace

std::string rank_ranges(const std::vector<std::int64_t>& numbers) {
  std::string words;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    if (ranges++ == kMostRanges) return words + fmt::format(" and {} more", numbers.size() - i);
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    words += words.empty() ? "" : ", ";
    words +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return words;
}

std::string rank_ranges(const RankList& list, const std::vector<std::uint32_t>& rows) {
  std::vector<std::int64_t> numbers;
  for (const std::uint32_t row : rows) numbers.push_back(list.ranks[row].number);
  return rank_ranges(numbers);
}

std::string line_words(const Profile& profile, const CodeLine& place) {
  if (place.function.is_none()) return "no Python code";
  const Function& function = profile.functions[place.function.row()];
  const std::string words =
      place.line == 0 ? "" : printable(display_place(profile, function, place.line));
  return words.empty() ? short_name(profile, function) : words;
}

std::string site_words(const Profile& profile, const MpiCallLine& site) {
  std::string call = short_name(profile, profile.functions[site.call.row()]);
  if (site.caller.function.is_none()) return call;
  return fmt::format("{} at {}", call, line_words(profile, site.caller));
}

std::string time_words(double nanoseconds) {
  const double limited = std::min(nanoseconds, kLargestTime);
  return format_value(Unit::kNanoseconds, static_cast<std::int64_t>(limited));
}

}  // namespace pyrometer
