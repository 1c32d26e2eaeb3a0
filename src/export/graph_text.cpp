#include "export/graph_text.h"

#include <fmt/printf.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace pyrometer {
namespace {

constexpr std::size_t kLineWidth = 32;
constexpr std::size_t kLongestName = 4096;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Removes bracketed parts with all that is nested in them, if the character before says that they
// belong to it. Brackets without a partner stay.
std::string without_brackets(std::string_view name, char open, char close,
                             bool (*belongs)(char before)) {
  std::vector<std::size_t> opened;
  std::vector<std::size_t> end_of(name.size(), 0);  // by opening bracket; 0: none
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == open) opened.push_back(i);
    if (name[i] == close && !opened.empty()) {
      end_of[opened.back()] = i;
      opened.pop_back();
    }
  }
  std::string kept;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_removed = end_of[i] != 0 && i > 0 && belongs(name[i - 1]);
    if (is_removed) {
      i = end_of[i];
    } else {
      kept += name[i];
    }
  }
  return kept;
}

std::string without_const(std::string name) {
  constexpr std::string_view kConst = "const";
  if (!name.ends_with(kConst)) return name;
  const std::size_t end = name.find_last_not_of(" \t", name.size() - kConst.size() - 1);
  const bool is_word_of_its_own = name.size() > kConst.size() && end != std::string::npos &&
                                  end + 1 < name.size() - kConst.size();
  if (is_word_of_its_own) name.resize(end + 1);
  return name;
}

// Places after which a line may end, spaces aside.
bool is_joint(std::string_view name, std::size_t at) {
  constexpr std::string_view kJoints = ".:/,-";
  const bool has_more = at + 1 < name.size() && is_word(name[at + 1]);
  return has_more && at > 0 && kJoints.find(name[at]) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    text.replace(at, from.size(), to);
  }
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not inside a character
  }));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The end of a conversion like "%-8.3f" that begins at `at`, or npos.
std::size_t end_of_conversion(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostDigits = 2;
  const auto skip_number = [&](std::size_t i) {
    const std::size_t first = i;
    while (i < text.size() && i - first < kMostDigits && is_digit(text[i])) ++i;
    return i;
  };
  std::size_t i = std::min(text.find_first_not_of("-+ #0", at + 1), text.size());
  i = skip_number(i);
  if (i < text.size() && text[i] == '.') i = skip_number(i + 1);
  constexpr std::string_view kLetters = "eEfFgG";
  const bool is_whole = i < text.size() && kLetters.find(text[i]) != std::string_view::npos;
  return is_whole ? i + 1 : std::string_view::npos;
}

}  // namespace

std::string strip_parameters(std::string_view name) {
  // Not those of "(anonymous namespace)::f", alone or behind a scope, nor of "libm.so (native)".
  std::string stripped =
      without_brackets(name, '(', ')', [](char before) { return before != ' ' && before != ':'; });
  return without_brackets(without_const(std::move(stripped)), '<', '>', is_word);
}

std::string wrap_name(std::string_view name) {
  std::string wrapped;
  std::string line;   // the one being filled
  std::string piece;  // what cannot be broken, up to now
  const auto end_piece = [&] {
    if (count_characters(line) + count_characters(piece) > kLineWidth && !line.empty()) {
      while (line.ends_with(' ')) line.pop_back();
      wrapped += line + '\n';
      line.clear();
    }
    line += piece;
    piece.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_space = name[i] == ' ';
    if (is_space) end_piece();
    if (is_space && line.empty()) continue;
    (is_space ? line : piece) += name[i];
    if (is_joint(name, i)) end_piece();
  }
  end_piece();
  wrapped += line;
  replace_all(wrapped, ", ", ",");
  replace_all(wrapped, "> >", ">>");
  return wrapped;
}

std::string bound_name(std::string_view name) {
  if (name.size() <= kLongestName) return std::string(name);
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return std::string(name.substr(0, end)) + "…";
}

Result<TimeFormat> TimeFormat::parse(std::string_view text) {
  TimeFormat format;
  format.conversion_.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& literal = format.conversion_.empty() ? format.before_ : format.after_;
    if (text[i] != '%') {
      literal += text[i];
    } else if (text.substr(i).starts_with("%%")) {
      literal += '%';
      ++i;
    } else {
      const std::size_t end = end_of_conversion(text, i);
      if (end == std::string_view::npos || !format.conversion_.empty()) {
        return fail(ErrorCode::kUsage,
                    "'{}' is no format for a time; it needs one conversion, such as %.7g or %.3f",
                    text);
      }
      format.conversion_ = text.substr(i, end - i);
      i = end - 1;
    }
  }
  if (format.conversion_.empty()) {
    return fail(ErrorCode::kUsage,
                "'{}' is no format for a time; it needs a conversion, such as %.7g or %.3f", text);
  }
  return format;
}

std::string TimeFormat::operator()(double value) const {
  return before_ + fmt::sprintf(conversion_, value) + after_;
}

}  // namespace pyrometer
