#include "record/run_name.h"

#include <algorithm>

namespace pyrometer {
namespace {

constexpr std::string_view kLetters = "jhprns%";
constexpr std::size_t kLongestPart = 100;  // bytes; a name may have 255

// Calls text(characters) and part(letter) for the pieces of a pattern.
template <class Text, class Part>
void for_each_piece(std::string_view pattern, Text text, Part part) {
  while (!pattern.empty()) {
    const std::size_t percent = std::min(pattern.find('%'), pattern.size());
    if (percent > 0) text(pattern.substr(0, percent));
    if (percent == pattern.size()) return;
    part(percent + 1 < pattern.size() ? pattern[percent + 1] : '\0');
    pattern.remove_prefix(std::min(percent + 2, pattern.size()));
  }
}

void ignore_text(std::string_view) {}

}  // namespace

Result<void> check_name(std::string_view pattern) {
  std::string wrong;
  for_each_piece(pattern, ignore_text, [&](char letter) {
    const bool is_known = letter != '\0' && kLetters.find(letter) != std::string_view::npos;
    if (!is_known) wrong = letter == '\0' ? "%" : std::string("%") + letter;
  });
  if (wrong.empty()) return {};
  return fail(ErrorCode::kUsage,
              "'{}' in the name '{}' stands for nothing; there are %j job, %h host, %p pid, %r "
              "rank, %n running number, %s script and %% for a percent sign",
              wrong, pattern);
}

bool names_part(std::string_view pattern, char letter) {
  bool found = false;
  for_each_piece(pattern, ignore_text, [&](char part) { found |= part == letter; });
  return found;
}

std::string expand_name(std::string_view pattern, const NameParts& parts, std::uint64_t number) {
  std::string name;
  const auto add_text = [&](std::string_view text) { name += text; };
  for_each_piece(pattern, add_text, [&](char letter) {
    switch (letter) {
      case 'j': name += as_file_name(parts.job); break;
      case 'h': name += as_file_name(parts.host); break;
      case 'p': name += std::to_string(parts.pid); break;
      case 'r': name += std::to_string(parts.rank); break;
      case 'n': name += std::to_string(number); break;
      case 's': name += as_file_name(parts.script); break;
      default: name += '%'; break;
    }
  });
  return name;
}

std::string as_file_name(std::string_view text) {
  std::string name(text.substr(0, kLongestPart));
  const auto is_unfit = [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == '\x7f'; };
  std::replace_if(name.begin(), name.end(), is_unfit, '_');
  return name.empty() ? "_" : name;
}

}  // namespace pyrometer
