// Memory: over time, who held the peak, what grows, what comes and goes, what was live when.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analyze/memory/host_memory.h"
#include "analyze/memory/live_history.h"
#include "analyze/memory/live_memory.h"
#include "analyze/memory/memory_facts.h"
#include "analyze/memory/memory_of_processes.h"
#include "analyze/memory/memory_sites.h"
#include "analyze/memory/memory_spread.h"
#include "analyze/ranks/rank_list.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/memory_curves.h"
#include "serve/memory_processes.h"
#include "serve/row_columns.h"
#include "serve/scope.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr std::size_t kMostByFigure = 1000;  // places, with the most of each figure
constexpr std::size_t kMostMoments = 1000;
constexpr std::size_t kMostTracks = 200;

// The places that other tables refer to by row.
class PlaceRows {
 public:
  // Those that have much of any figure.
  explicit PlaceRows(const Profile& profile) : sites_(memory_sites(profile, MemoryUnit::kLine)) {
    std::set<MemoryPlace> kept;
    for (const MemoryMetric& each : kMemoryMetrics) {
      std::vector<MemorySite> most = sites_;
      sort_by(most, each.figure);
      most.resize(std::min(kMostByFigure, most.size()));
      for (const MemorySite& site : most) kept.insert(site.place);
    }
    left_out_ = sites_.size() - kept.size();
    std::erase_if(sites_, [&](const MemorySite& site) { return !kept.contains(site.place); });
    std::stable_sort(sites_.begin(), sites_.end(), [](const MemorySite& a, const MemorySite& b) {
      return a.figures.peak > b.figures.peak;
    });
    for (std::size_t i = 0; i < sites_.size(); ++i) rows_[sites_[i].place] = i;
  }

  std::size_t of(const MemoryPlace& place) {
    const auto [found, is_new] = rows_.try_emplace(place, sites_.size());
    if (is_new) sites_.push_back({place, {}});
    return found->second;
  }

  std::size_t left_out() const { return left_out_; }

  void write(ColumnsWriter& out) const {
    using Row = const MemorySite&;
    add_column<std::uint32_t>(out, "place.function", sites_,
                              [](Row r) { return r.place.function.row(); });
    add_column<std::uint32_t>(out, "place.line", sites_, [](Row r) { return r.place.line; });
    add_column<std::uint32_t>(out, "place.caller", sites_,
                              [](Row r) { return row_or_none(r.caller.function); });
    add_column<std::uint32_t>(out, "place.caller-line", sites_,
                              [](Row r) { return r.caller.line; });
    for (const MemoryMetric& each : kMemoryMetrics) {
      add_column<double>(out, fmt::format("place.{}", each.name), sites_,
                         [&](Row r) { return r.figures.*each.figure; });
    }
  }

 private:
  std::vector<MemorySite> sites_;
  std::map<MemoryPlace, std::size_t> rows_;
  std::size_t left_out_ = 0;
};

// Only what changed since the moment before.
void write_history(ColumnsWriter& out, const LiveHistory& history, PlaceRows& places) {
  std::vector<std::uint32_t> rows, moments;
  std::vector<double> values;
  for (const LiveHistory::Track& track : history.tracks) {
    const std::size_t row = places.of(track.place);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < track.bytes.size(); ++i) {
      if (track.bytes[i] == before) continue;
      before = track.bytes[i];
      rows.push_back(static_cast<std::uint32_t>(row));
      moments.push_back(static_cast<std::uint32_t>(i));
      values.push_back(static_cast<double>(before));
    }
  }
  add_column<double>(out, "moment.time", history.moments,
                     [](std::int64_t time) { return static_cast<double>(time) / kSecond; });
  out.add("live.place", std::span<const std::uint32_t>(rows));
  out.add("live.moment", std::span<const std::uint32_t>(moments));
  out.add("live.bytes", std::span<const double>(values));
}

void write_growing(ColumnsWriter& out, const Profile& profile, PlaceRows& places) {
  using Row = const GrowingMemory&;
  std::vector<GrowingMemory> growing = find_growth(profile);
  growing.resize(std::min(kMostByFigure, growing.size()));
  add_column<std::uint32_t>(out, "growing.place", growing,
                            [&](Row r) { return places.of(r.place); });
  add_column<double>(out, "growing.rate", growing, [](Row r) { return r.rate; });
  add_column<double>(out, "growing.growth", growing, [](Row r) { return r.growth; });
  add_column<double>(out, "growing.live", growing, [](Row r) { return r.live; });
  add_column<std::uint32_t>(out, "growing.processes", growing, [](Row r) { return r.processes; });
}

void write_together(JsonWriter& json, std::string_view name,
                    const std::optional<MemoryPeak>& peak) {
  json.key(name);
  if (!peak || !peak->time) {
    json.null();
    return;
  }
  json.begin_object().member("bytes", peak->bytes);
  json.member("time", static_cast<double>(*peak->time) / kSecond).end_object();
}

void write_facts(JsonWriter& json, const MemoryFacts& facts, const Profile& profile) {
  json.member("mode", printable(facts.mode));
  const std::int64_t between =
      facts.processes.empty()
          ? 0
          : number_attribute(profile.processes[facts.processes[0].process.row()],
                             memory_attribute::kSampleBytes, 0);
  json.member("sample_bytes", between);
  json.member("duration", static_cast<double>(facts.duration) / kSecond);
  write_together(json, "heap_together", facts.heap_together);
  write_together(json, "resident_together", facts.resident_together);
  json.key("total").begin_object();
  for (const MemoryMetric& each : kMemoryMetrics) {
    json.member(each.name, facts.figures.*each.figure);
  }
  json.end_object();
}

// What all processes may have together: null where that is unknown, or they are on several hosts.
void write_available(JsonWriter& json, const std::vector<HostMemory>& hosts) {
  json.key("available");
  if (hosts.size() != 1 || !hosts[0].available) {
    json.null();
    return;
  }
  json.begin_object().member("bytes", *hosts[0].available);
  json.member("is_limit", hosts[0].is_limit).end_object();
}

// Null where there is nothing to compare.
void write_spread(JsonWriter& json, const MemorySpread& spread) {
  const AcrossRanks& peak = spread.peak();
  json.key("spread");
  if (peak.ranks < 2) {
    json.null();
    return;
  }
  json.begin_object().member("of", spread.is_of_ranks ? "ranks" : "processes");
  json.member("heap", &peak == &spread.heap).member("count", peak.ranks);
  json.member("least", peak.least).member("lowest", spread.processes[peak.least_rank].row());
  json.member("mean", peak.mean(peak.ranks)).member("most", peak.maximum);
  json.member("highest", spread.processes[peak.maximum_rank].row());
  json.member("imbalance", peak.imbalance(peak.ranks)).end_object();
}

}  // namespace

Result<Answer> answer_memory(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  const auto wanted = request.parameter("processes");
  Profile part;
  if (wanted) {
    PYROMETER_TRY(const auto processes, parse_rows(*wanted, profile->processes.size()));
    part = memory_of_processes(*profile, processes);
    profile = &part;
  }
  const MemoryFacts facts = make_memory_facts(*profile);
  const LiveHistory history = live_history(*profile, kMostMoments, kMostTracks);
  PlaceRows places(*profile);
  ColumnsWriter out(request.is_packed);
  write_history(out, history, places);
  write_growing(out, *profile, places);
  places.write(out);
  using Size = const AllocationSizes&;
  add_column<std::uint32_t>(out, "size.bits", facts.sizes, [](Size s) { return s.bits; });
  add_column<double>(out, "size.count", facts.sizes, [](Size s) { return s.count; });
  JsonWriter meta;
  meta.begin_object();
  write_facts(meta, facts, *profile);
  write_spread(meta, spread_of_memory(*profile, facts));
  write_available(meta, memory_of_hosts(*profile, facts, memory_series(*profile)));
  meta.member("is_of_some", wanted.has_value());
  meta.member("places_left_out", places.left_out());
  meta.member("tracks_left_out", history.tracks_left_out);
  meta.member("processes_left_out", write_memory_processes(out, facts.processes));
  meta.member("curves_left_out", write_memory_curves(out, *profile)).end_object();
  return Answer{out.take(meta.take()), kBinaryType};
}

}  // namespace pyrometer
