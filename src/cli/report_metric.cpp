// Which time a report is of, in the words of people who look for idle threads or the GIL.
#include <array>

#include "analyze/main_metric.h"
#include "cli/report_arguments.h"

namespace pyrometer {
namespace {

struct MetricFlag {
  bool ReportArguments::*is_given;
  std::string_view metric;
  const char* words;    // of the report
  const char* missing;  // what a profile without it does not say
};
constexpr std::array kMetricFlags{
    MetricFlag{&ReportArguments::gil, metric::kPython,
               "Time in which Python code ran, which needs the GIL; native code may have released "
               "it and is left out.",
               "when Python code was running, which needs the GIL"},
    MetricFlag{&ReportArguments::idle, metric::kWall, "Time of all threads, waiting included.",
               "how long threads waited"},
    MetricFlag{&ReportArguments::no_idle, metric::kCpu, "Time on a CPU; waiting is left out.",
               "waiting from running"},
};

std::string metric_names(const Profile& profile) {
  std::string names;
  for (const Metric& metric : profile.metrics) names += (names.empty() ? "" : ", ") + metric.name;
  return names;
}

}  // namespace

Result<ChosenMetric> choose_metric(const ReportArguments& arguments, const Profile& profile) {
  const MetricFlag* chosen = nullptr;
  int count = arguments.metric.empty() ? 0 : 1;
  for (const MetricFlag& flag : kMetricFlags) {
    if (!(arguments.*flag.is_given)) continue;
    chosen = &flag;
    ++count;
  }
  if (count > 1) {
    return fail(ErrorCode::kUsage,
                "--metric, --gil, --idle and --no-idle each choose a metric; give one of them");
  }
  if (chosen != nullptr) {
    if (const auto found = profile.find_metric(chosen->metric)) return {{*found, chosen->words}};
    return fail(ErrorCode::kUsage,
                "this profile does not tell {}; it has {}; a recording of 'pyrometer run' does",
                chosen->missing, metric_names(profile));
  }
  PYROMETER_TRY(const MetricId metric, arguments.metric.empty()
                                           ? main_metric(profile)
                                           : named_metric(profile, arguments.metric));
  return {{metric, ""}};
}

}  // namespace pyrometer
