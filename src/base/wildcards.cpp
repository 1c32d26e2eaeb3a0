#include "base/wildcards.h"

#include <algorithm>

namespace pyrometer {
namespace {

// The part of a pattern that one character must match: how long it is, and whether it does.
struct PieceMatch {
  std::size_t size;
  bool matches;
};

// pattern[at] is a '['. Without a ']' it stands for itself.
PieceMatch match_set(std::string_view pattern, std::size_t at, char c) {
  std::size_t i = at + 1;
  const bool is_negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_negated) ++i;
  const std::size_t first = i;
  bool found = false;
  for (; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    const bool is_range = i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']';
    found = found || (is_range ? pattern[i] <= c && c <= pattern[i + 2] : pattern[i] == c);
    if (is_range) i += 2;
  }
  if (i == pattern.size()) return {1, c == '['};
  return {i + 1 - at, found != is_negated};
}

PieceMatch match_unit(std::string_view pattern, std::size_t at, char c) {
  if (pattern[at] == '?') return {1, true};
  if (pattern[at] == '[') return match_set(pattern, at, c);
  return {1, pattern[at] == c};
}

std::vector<Path> matches_in(const Path& folder, std::string_view pattern) {
  std::vector<Path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? Path(".") : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_hidden = name.starts_with('.') && !pattern.starts_with('.');
    if (!is_hidden && matches_wildcards(pattern, name)) found.push_back(folder / name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

bool has_wildcards(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool matches_wildcards(std::string_view pattern, std::string_view name) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t at = 0;
  std::size_t star = kNone;  // where the pattern goes on behind the last *
  std::size_t tried = 0;     // how far that * reached into the name
  for (std::size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      tried = i;
      continue;
    }
    const PieceMatch unit =
        at < pattern.size() ? match_unit(pattern, at, name[i]) : PieceMatch{0, false};
    if (unit.matches) {
      at += unit.size;
      ++i;
    } else if (star != kNone) {
      // Only the last * need be tried again: whatever an earlier one takes, this one can.
      at = star;
      i = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == kNone;
}

std::vector<Path> find_paths(std::string_view pattern) {
  std::vector<Path> found{Path()};
  for (const Path& part : Path(pattern)) {
    std::vector<Path> next;
    for (const Path& folder : found) {
      if (has_wildcards(part.string())) {
        const std::vector<Path> matches = matches_in(folder, part.string());
        next.insert(next.end(), matches.begin(), matches.end());
      } else {
        next.push_back(folder / part);
      }
    }
    found = std::move(next);
  }
  std::erase_if(found, [](const Path& path) {
    std::error_code ignored;
    return !std::filesystem::exists(path, ignored);
  });
  return found;
}

}  // namespace pyrometer
