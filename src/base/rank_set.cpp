#include "base/rank_set.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace pyrometer {
namespace {

constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();

std::optional<std::int64_t> read_number(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && digits.front() != '-';
  return is_number && number <= kHighest ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<RankSet::Part> RankSet::parse_part(std::string_view word) {
  const auto wrong = [&] {
    return fail(ErrorCode::kUsage,
                "'{}' names no ranks; write them as 0,5-9,%16: a rank, from one to another, and "
                "every sixteenth",
                word);
  };
  if (word.starts_with('%')) {
    const auto step = read_number(word.substr(1));
    if (!step || *step == 0) return wrong();
    return Part{.first = 0, .last = kHighest, .step = *step};
  }
  const std::size_t dash = std::min(word.find('-'), word.size());
  const auto first = read_number(word.substr(0, dash));
  const auto last = dash == word.size() ? first : read_number(word.substr(dash + 1));
  if (!first || !last || *first > *last) return wrong();
  return Part{.first = *first, .last = *last};
}

Result<RankSet> RankSet::parse(std::string_view text) {
  RankSet set;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    PYROMETER_TRY(const Part part, parse_part(text.substr(begin, end - begin)));
    set.parts_.push_back(part);
    begin = end + 1;
  }
  return set;
}

bool RankSet::contains(std::int64_t rank) const {
  return std::any_of(parts_.begin(), parts_.end(), [rank](const Part& part) {
    return part.first <= rank && rank <= part.last && rank % part.step == 0;
  });
}

}  // namespace pyrometer
