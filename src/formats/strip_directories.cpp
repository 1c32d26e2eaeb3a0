#include <map>

#include "formats/pstats_sum.h"

namespace pyrometer {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace

PstatsFile strip_directories(const PstatsFile& file) {
  PstatsMerger merger;
  std::vector<std::uint32_t> places;
  for (const PstatsFunction& function : file.functions) {
    places.push_back(merger.function(merger.text(base_name(function.file)), function.line,
                                     merger.text(function.name)));
    if (function.has_entry) merger.add_cost(places.back(), function.cost);
  }
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    std::vector<PstatsCaller> callers;
    std::map<std::uint32_t, std::size_t> seen;  // where each caller stands in `callers`
    for (PstatsCaller caller : file.functions[i].callers) {
      caller.function = places[caller.function];
      const auto [known, is_new] = seen.try_emplace(caller.function, callers.size());
      if (is_new) {
        callers.push_back(caller);
      } else {
        callers[known->second] = caller;
      }
    }
    for (const PstatsCaller& caller : callers) merger.add_caller(places[i], caller);
  }
  return merger.finish(file.sampled);
}

}  // namespace pyrometer
