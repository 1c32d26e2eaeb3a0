// The names of several pictures from one: "graph-%r.svg", or "graph.svg" with something added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct GraphNameParts {
  std::optional<std::int64_t> rank;  // %r
  std::string stem;                  // %f: the input file's name without its extension
};

// In the order of `parts`; %n is the running number from 1. A usage error when the pattern makes
// the same name twice or asks for what there is not.
Result<std::vector<std::string>> make_graph_names(std::string_view pattern,
                                                  const std::vector<GraphNameParts>& parts);

}  // namespace pyrometer
