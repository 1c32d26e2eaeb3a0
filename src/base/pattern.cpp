#include "base/pattern.h"

#include <boost/regex.hpp>

namespace pyrometer {

namespace {

// As in Python, "." stops at a line break, and "^" and "$" stand for the ends of the text alone.
constexpr auto kSyntax = boost::regex::perl | boost::regex::no_mod_s | boost::regex::no_mod_m;

// Python's way to write named groups, (?P<name>...) and (?P=name), in Perl's.
std::string without_python_groups(const std::string& text) {
  std::string perl;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    const std::size_t end = rest.find(')');
    if (rest.starts_with('\\') && rest.size() > 1) {
      perl += text[i++];
      perl += text[i];
    } else if (rest.starts_with("(?P<")) {
      perl += "(?";
      i += 2;
    } else if (rest.starts_with("(?P=") && end != std::string_view::npos) {
      perl += "\\k<" + std::string(rest.substr(4, end - 4)) + ">";
      i += end;
    } else {
      perl += text[i];
    }
  }
  return perl;
}

}  // namespace

struct Pattern::Compiled {
  boost::regex regex;
};

Result<Pattern> Pattern::parse(const std::string& text) {
  try {
    return Pattern(std::make_shared<const Compiled>(
        Compiled{boost::regex(without_python_groups(text), kSyntax)}));
  } catch (const boost::regex_error& error) {
    return fail(ErrorCode::kUsage, "'{}' is not a valid regular expression: {}", text,
                error.what());
  }
}

bool Pattern::matches(std::string_view text) const {
  try {
    return boost::regex_search(text.begin(), text.end(), compiled_->regex);
  } catch (const boost::regex_error&) {
    return false;  // too complex for this text
  }
}

}  // namespace pyrometer
