// What stands beside the tracks of a timeline: regions, and counters over time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyze/time_tracks.h"
#include "base/json_writer.h"
#include "serve/columns.h"
#include "serve/scope.h"

namespace pyrometer {

class TimelineEvents {
 public:
  // From `from` to `to`, in ns since the first process began. Must not outlive the others.
  TimelineEvents(const Profile& profile, const ProfileClock& clock, const ViewScope& scope,
                 std::int64_t from, std::int64_t to);

  // Members of an open object.
  void describe(JsonWriter& meta) const;
  void write(ColumnsWriter& out) const;

 private:
  void find_regions(const ViewScope& scope);
  void find_counters(const ViewScope& scope);

  const Profile& profile_;
  const ProfileClock& clock_;
  std::int64_t from_;
  std::int64_t to_;
  std::vector<std::string_view> region_names_;
  std::vector<std::uint32_t> threads_, names_, depths_;  // of regions
  std::vector<double> starts_, durations_;
  std::vector<const CounterSeries*> counters_;
};

}  // namespace pyrometer
