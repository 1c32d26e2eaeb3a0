#include <algorithm>

#include "base/printable.h"
#include "report/pstats_text.h"

namespace pyrometer {
namespace {

constexpr const char* kTitle =
    "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n";
constexpr const char* kSampledTitle =
    " nsamples  tottime persample cumtime persample filename:lineno(function)\n";

std::string per_call(double seconds, std::int64_t calls) {
  if (calls == 0) return fmt::format("{:8}", "");
  return fmt::format("{:8.3f}", seconds / static_cast<double>(calls));
}

std::string row(const PstatsFunction& function) {
  const PstatsCost& cost = function.cost;
  std::string calls = fmt::format("{}", cost.calls);
  if (cost.calls != cost.primitive_calls) calls += fmt::format("/{}", cost.primitive_calls);
  return fmt::format("{:>9} {:8.3f} {} {:8.3f} {} {}\n", calls, cost.self_seconds,
                     per_call(cost.self_seconds, cost.calls), cost.total_seconds,
                     per_call(cost.total_seconds, cost.primitive_calls), shown_name(function));
}

// Who is called by this one, which a profiler of old wrote for itself, heads the listing.
bool is_old_profiler(const PstatsFunction& function) {
  return function.file == "jprofile" && function.line == 0 && function.name == "profiler";
}

std::string top_level_names(const PstatsFile& file) {
  std::string names;
  for (const PstatsFunction& function : file.functions) {
    const bool is_top = std::any_of(function.callers.begin(), function.callers.end(),
                                    [&](const PstatsCaller& caller) {
                                      return is_old_profiler(file.functions[caller.function]);
                                    });
    if (is_top) names += fmt::format("         {}\n", printable(function.name));
  }
  return names;
}

}  // namespace

Result<std::string> pstats_functions_text(const std::vector<std::string>& sources,
                                          const PstatsSum& sum, const PstatsSelection& selection) {
  std::string text;
  for (const std::string& source : sources) text += printable(source) + "\n";
  if (!sources.empty()) text += "\n";
  text += top_level_names(sum.file);
  text += fmt::format("         {} function calls ", sum.totals.calls);
  if (sum.totals.calls != sum.totals.primitive_calls) {
    text += fmt::format("({} primitive calls) ", sum.totals.primitive_calls);
  }
  text += fmt::format("in {:.3f} seconds\n\n", sum.totals.self_seconds);

  const PstatsListing listing = make_pstats_listing(sum.file, selection);
  if (listing.functions.empty()) return text;
  text += listing.heading + "\n" + (sum.file.sampled ? kSampledTitle : kTitle);
  for (const std::uint32_t index : listing.functions) {
    text += row(sum.file.functions[index]);
    PYROMETER_TRY_VOID(check_text_size(text));
  }
  return text + "\n\n";
}

}  // namespace pyrometer
