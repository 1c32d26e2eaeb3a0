// Some ranks of a launch, as a user names them: "0,5-9,%16" is rank 0, ranks 5 to 9, and every
// sixteenth.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

class RankSet {
 public:
  // A usage error says which word is wrong.
  static Result<RankSet> parse(std::string_view text);

  bool contains(std::int64_t rank) const;

 private:
  struct Part {
    std::int64_t first = 0, last = 0;
    std::int64_t step = 1;  // only ranks that it divides
  };
  static Result<Part> parse_part(std::string_view word);

  std::vector<Part> parts_;
};

}  // namespace pyrometer
