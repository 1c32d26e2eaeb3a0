#include "serve/answers.h"

#include <charconv>

namespace pyrometer {
namespace {

struct AnswerOfOne {
  std::string_view name;
  Result<Answer> (*answer)(const ViewedProfile&, const Request&);
};
constexpr AnswerOfOne kOfOne[] = {
    {"summary", answer_summary},     {"tables", answer_tables},   {"values", answer_values},
    {"functions", answer_functions}, {"calls", answer_calls},     {"lines", answer_lines},
    {"source", answer_source},       {"ranks", answer_ranks},     {"parallel", answer_parallel},
    {"timeline", answer_timeline},   {"samples", answer_samples}, {"memory", answer_memory},
    {"export", answer_export},
};

struct AnswerOfAll {
  std::string_view name;
  Result<Answer> (*answer)(const ProfileVersions&, const Request&);
};
constexpr AnswerOfAll kOfAll[] = {
    {"profiles", answer_profiles},
    {"diff", answer_diff},
    {"scaling", answer_scaling},
};

tl::unexpected<Error> no_such_thing() {
  return fail(ErrorCode::kNotFound, "There is nothing at this address.");
}

Result<Answer> answer_of_one(const ProfileVersions& profiles, const Request& request) {
  std::size_t row = 0;
  const std::string& digits = request.path[1];
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, row);
  if (parsed.ec != std::errc() || parsed.ptr != end) return no_such_thing();
  if (row >= profiles.size()) {
    return fail(ErrorCode::kNotFound, "There is no profile {} here.", row);
  }
  const ViewedProfile* viewed = profiles[row].profile.get();
  const bool with_regions = request.path.size() == 4;  // "api", "0", "regions", "values"
  if (with_regions) {
    if (request.path[2] != "regions") return no_such_thing();
    PYROMETER_TRY(viewed, viewed->with_regions());
  }
  for (const AnswerOfOne& entry : kOfOne) {
    if (entry.name == request.path.back()) return entry.answer(*viewed, request);
  }
  return no_such_thing();
}

}  // namespace

Result<Answer> answer(const ProfileVersions& profiles, const Request& request) {
  if (request.path.size() < 2 || request.path[0] != "api") return no_such_thing();
  if (request.path.size() == 3 || request.path.size() == 4) {
    return answer_of_one(profiles, request);
  }
  if (request.path.size() != 2) return no_such_thing();
  for (const AnswerOfAll& entry : kOfAll) {
    if (entry.name == request.path[1]) return entry.answer(profiles, request);
  }
  return no_such_thing();
}

Result<std::vector<MetricId>> metrics_of(const ViewedProfile& viewed, const Request& request) {
  std::vector<MetricId> metrics;
  std::string_view names = request.parameter("metric").value_or("");
  // There may be a comma in a name.
  if (const auto whole = viewed.summary().find_metric(names)) return std::vector{*whole};
  for (;;) {
    const std::size_t comma = names.find(',');
    PYROMETER_TRY(const MetricId metric, viewed.metric(names.substr(0, comma)));
    metrics.push_back(metric);
    if (comma == std::string_view::npos) return metrics;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace pyrometer
