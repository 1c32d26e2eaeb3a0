#include "report/counters_json.h"

#include "analyze/counters.h"

namespace pyrometer {
namespace {

void write_optional(JsonWriter& json, const char* name, std::optional<std::int64_t> value) {
  json.key(name);
  value ? json.value(*value) : json.null();
}

}  // namespace

void write_counters(const Profile& profile, JsonWriter& json) {
  if (profile.counters.empty() && profile.regions.empty()) return;
  const CounterOverview overview = make_counter_overview(profile);
  json.key("counters").begin_array();
  for (const CounterSummary& counter : overview.counters) {
    json.begin_object().member("name", profile.text(counter.name));
    json.member("unit", name_of(counter.unit)).member("process", counter.process.row());
    json.member("peak", counter.peak.value);
    json.member("peak_time_ns", counter.peak.time - overview.begin);
    json.member("first", counter.first).member("last", counter.last);
    json.member("points", counter.points).end_object();
  }
  json.end_array().key("regions").begin_array();
  for (const RegionSummary& region : overview.regions) {
    json.begin_object().member("name", profile.text(region.name));
    json.member("process", region.process.row()).member("calls", region.calls);
    json.member("duration_ns", region.duration).member("increment", region.increment);
    json.member("largest_increment", region.largest);
    write_optional(json, "before", region.before);
    write_optional(json, "after", region.after);
    json.end_object();
  }
  json.end_array();
  if (overview.together) {
    json.key("peak_together").begin_object().member("value", overview.together->value);
    json.member("time_ns", overview.together->time - overview.begin).end_object();
  }
}

}  // namespace pyrometer
