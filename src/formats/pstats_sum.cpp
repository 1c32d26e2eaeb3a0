#include "formats/pstats_sum.h"

#include <utility>

namespace pyrometer {

void PstatsSummer::add(const PstatsFile& file) {
  if (std::exchange(is_first_, false)) sampled_ = file.sampled;
  std::vector<std::uint32_t> places(file.functions.size());
  const auto place = [&](std::size_t i) {
    const PstatsFunction& function = file.functions[i];
    places[i] =
        merger_.function(merger_.text(function.file), function.line, merger_.text(function.name));
  };
  // Entries before those that are callers only: these are not listed and must not push in.
  PstatsCost totals;
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    if (!file.functions[i].has_entry) continue;
    place(i);
    merger_.add_cost(places[i], file.functions[i].cost);
    add_cost(totals, file.functions[i].cost);
  }
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    if (!file.functions[i].has_entry) place(i);
  }
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    for (PstatsCaller caller : file.functions[i].callers) {
      caller.function = places[caller.function];
      merger_.add_caller(places[i], caller);
    }
  }
  merger_.merge_callers();
  add_cost(totals_, totals);
}

PstatsSum PstatsSummer::finish() { return {merger_.finish(sampled_), totals_}; }

}  // namespace pyrometer
