#include "formats/pstats_merger.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.h"

namespace pyrometer {
namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return a < 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}

double sum(double a, double b) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return std::clamp(a + b, -kLargest, kLargest);
}

void forget_times(PstatsCaller& caller) {
  caller.cost = {.calls = caller.cost.calls, .primitive_calls = caller.cost.calls};
  caller.has_times = false;
}

// Each function once, where it was named first.
void merge_repeated(std::vector<PstatsCaller>& callers) {
  std::vector<std::size_t> places(callers.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return callers[a].function < callers[b].function;
  });
  std::vector<bool> is_repeated(callers.size());
  std::size_t first = 0;  // in places: where the function of the one before was named first
  for (std::size_t i = 1; i < places.size(); ++i) {
    PstatsCaller& same = callers[places[first]];
    const PstatsCaller& caller = callers[places[i]];
    if (same.function != caller.function) {
      first = i;
      continue;
    }
    add_cost(same.cost, caller.cost);
    same.has_times = same.has_times && caller.has_times;
    is_repeated[places[i]] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    if (!is_repeated[i]) callers[kept++] = callers[i];
  }
  callers.resize(kept);
  for (PstatsCaller& caller : callers) {
    if (!caller.has_times) forget_times(caller);
  }
}

}  // namespace

void add_cost(PstatsCost& into, const PstatsCost& cost) {
  into.calls = sum(into.calls, cost.calls);
  into.primitive_calls = sum(into.primitive_calls, cost.primitive_calls);
  into.self_seconds = sum(into.self_seconds, cost.self_seconds);
  into.total_seconds = sum(into.total_seconds, cost.total_seconds);
}

PstatsMerger::TextNumber PstatsMerger::text(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const auto number = static_cast<TextNumber>(texts_.size());
  texts_.push_back(&numbers_.emplace(text, number).first->first);
  return number;
}

std::uint32_t PstatsMerger::function(TextNumber file, std::int32_t line, TextNumber name) {
  const auto index = static_cast<std::uint32_t>(file_.functions.size());
  const auto [found, is_new] = functions_.try_emplace(Label{file, line, name}, index);
  if (is_new) {
    file_.functions.push_back(
        {.file = *texts_[file], .line = line, .name = *texts_[name], .has_entry = false});
  }
  return found->second;
}

void PstatsMerger::add_cost(std::uint32_t function, const PstatsCost& cost) {
  pyrometer::add_cost(file_.functions[function].cost, cost);
  file_.functions[function].has_entry = true;
}

void PstatsMerger::add_caller(std::uint32_t function, const PstatsCaller& caller) {
  PYROMETER_CHECK(caller.function < file_.functions.size());
  file_.functions[function].callers.push_back(caller);
}

void PstatsMerger::merge_callers() {
  for (PstatsFunction& function : file_.functions) merge_repeated(function.callers);
}

PstatsFile PstatsMerger::finish(bool sampled) {
  merge_callers();
  file_.sampled = sampled;
  return std::move(file_);
}

}  // namespace pyrometer
