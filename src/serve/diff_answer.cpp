// What changed between two of the profiles.
#include "report/diff_report.h"
#include "report/diff_version.h"
#include "serve/answers.h"

namespace pyrometer {
namespace {

Result<const Profile*> profile_of(const ProfileVersions& profiles, const Request& request,
                                  std::string_view name, std::uint32_t otherwise) {
  PYROMETER_TRY(const std::uint32_t row, request.number(name, otherwise, 0xffffffffU));
  if (row >= profiles.size()) {
    return fail(ErrorCode::kNotFound,
                "There is no profile {} here; 'pyrometer view BEFORE AFTER' shows two.", row);
  }
  return profiles[row].profile->whole();
}

}  // namespace

Result<Answer> answer_diff(const ProfileVersions& profiles, const Request& request) {
  PYROMETER_TRY(const std::string_view by, request.word("by", {"functions", "lines"}));
  PYROMETER_TRY(const std::uint32_t normalise, request.number("normalise", 0, 1));
  PYROMETER_TRY(const Profile* old, profile_of(profiles, request, "before", 0));
  PYROMETER_TRY(const Profile* now, profile_of(profiles, request, "after", 1));
  const DiffChoice choice{.lines = by == "lines",
                          .metric = std::string(request.parameter("metric").value_or(""))};
  DiffVersion before, after;
  before.sources.add(*old);
  after.sources.add(*now);
  PYROMETER_TRY_VOID(before.add_run(*old, choice));
  PYROMETER_TRY_VOID(after.add_run(*now, choice));
  PYROMETER_TRY(Diff diff, compare_versions(before, after, normalise != 0));
  sort_rows(diff.rows, DiffSort::kChange);
  add_missing_texts(diff, after);
  if (request.without_sources) {
    for (DiffRow& row : diff.rows) row.text.clear();
  }
  return Answer{diff_json(diff, std::nullopt)};
}

}  // namespace pyrometer
