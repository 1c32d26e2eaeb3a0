#include "cli/scale_inputs.h"

#include <charconv>

#include "cli/command_line.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kLargestCount = 1'000'000'000;

// The length of "12" in "12=files"; 0 when the word is a profile alone.
std::size_t length_of_count(const std::string& word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  const bool has_count = digits != 0 && digits != std::string::npos && word[digits] == '=';
  return has_count ? digits : 0;
}

Result<std::int64_t> parse_count(std::string_view digits) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || count < 1 || count > kLargestCount) {
    return fail(ErrorCode::kUsage, "'{}' is no count of processes; write 1 or more, as in 2=FILE",
                digits);
  }
  return count;
}

}  // namespace

Result<std::vector<ScaleInput>> parse_scale_inputs(const std::vector<std::string>& words) {
  std::vector<ScaleInput> inputs;
  for (const std::string& word : words) {
    const std::size_t digits = length_of_count(word);
    if (digits == 0) {
      PYROMETER_TRY(const std::vector<Path> paths, find_profiles({word}));
      for (const Path& path : paths) inputs.push_back({.name = path.string(), .paths = {path}});
      continue;
    }
    ScaleInput& input = inputs.emplace_back();
    input.name = word.substr(digits + 1);
    PYROMETER_TRY(input.count, parse_count(std::string_view(word).substr(0, digits)));
    if (input.name.empty()) {
      return fail(ErrorCode::kUsage, "'{}' names no profile; write {}FILE", word, word);
    }
    PYROMETER_TRY(input.paths, find_profiles({input.name}));
  }
  return inputs;
}

}  // namespace pyrometer
