#include "base/pattern.h"

#include <boost/regex.hpp>

namespace pyrometer {

struct Pattern::Compiled {
  boost::regex regex;
};

Result<Pattern> Pattern::parse(const std::string& text) {
  try {
    return Pattern(std::make_shared<const Compiled>(Compiled{boost::regex(text)}));
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
