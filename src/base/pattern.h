// A regular expression from the user, as in Perl or Python, matched against names that nobody has
// checked: a match that would explode gives up instead of running for ever.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

class Pattern {
 public:
  static Result<Pattern> parse(const std::string& text);

  // Whether any part of `text` matches.
  bool matches(std::string_view text) const;

 private:
  // The library's header is heavy, so it stays out of ours.
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace pyrometer
