// How the program scales over the counts of processes that the profiles have.
#include "analyze/rank_costs.h"
#include "report/run_sources.h"
#include "report/scale_report.h"
#include "serve/answers.h"

namespace pyrometer {

Result<Answer> answer_scaling(const ProfileVersions& profiles, const Request& request) {
  PYROMETER_TRY(const std::string_view by, request.word("by", {"functions", "lines"}));
  const CostChoice choice{.lines = by == "lines",
                          .metric = std::string(request.parameter("metric").value_or(""))};
  if (profiles.size() < 2) {
    return fail(
        ErrorCode::kUnsupported,
        "One profile does not tell how a program scales; open runs with different counts of "
        "processes: 'pyrometer view RUN-2 RUN-4 RUN-8'.");
  }
  RunSources sources;
  std::vector<ScalingRun> runs;
  for (const ProfileVersion& version : profiles) {
    PYROMETER_TRY(const Profile* profile, version.profile->whole());
    PYROMETER_TRY(const CostSource source, find_cost_source(*profile, choice));
    sources.add(*profile);
    runs.push_back({count_of_processes(*profile), version.profile->title().name,
                    make_rank_costs(*profile, source)});
  }
  // Two runs of one count cannot be compared: for this profile set, that is how it is.
  auto scaling = make_scaling(std::move(runs), {});
  if (!scaling) return fail(ErrorCode::kUnsupported, "{}", scaling.error().message);
  sort_rows(*scaling, ScalingOrder::kTime);
  ScaleReportOptions options;
  if (!request.without_sources) {
    options.text = [&](const CostRow& row) { return sources.line(row.path, row.line); };
  }
  return Answer{scale_json(*scaling, options)};
}

}  // namespace pyrometer
