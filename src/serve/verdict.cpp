#include "serve/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/counters.h"
#include "analyze/names.h"
#include "base/format_value.h"
#include "serve/percent.h"

namespace pyrometer {
namespace {

constexpr double kMostly = 0.5;              // waiting is the story from here on
constexpr double kOftenForGil = 0.25;        // of all threads' time
constexpr double kOftenForEachOther = 0.25;  // of all ranks' time
constexpr double kStandsOut = 0.1;
constexpr double kOftenWaiting = 0.05;  // more than it computes

// Damaged files may say anything, and nothing takes more than everything.
std::string what_is_measured(const Overview& overview) {
  const Metric& metric = overview.profile.metrics[overview.metric.row()];
  if (metric.name == metric::kWall) return "the time";
  if (metric.name == metric::kLineTime) return "the measured time";
  return metric_words(metric);
}

// The sum over all processes is not what one of them needs at a time, so the peak of each counts.
std::string of_counters(const ViewedProfile& viewed) {
  const auto whole = viewed.whole();
  if (!whole) return "This profile holds no measurements";
  const CounterOverview counters = make_counter_overview(**whole);
  const CounterSummary* highest = nullptr;
  for (const CounterSummary& each : counters.counters) {
    if (each.unit != Unit::kBytes) continue;
    if (highest == nullptr || each.peak.value > highest->peak.value) highest = &each;
  }
  if (highest == nullptr) return "This profile holds no measurements";
  const CounterPeak peak = counters.together.value_or(highest->peak);
  return fmt::format("Memory peaks at {} after {}", format_value(highest->unit, peak.value),
                     format_value(Unit::kNanoseconds, peak.time - counters.begin));
}

// line_profiler's files: lines, and no functions around them.
std::string of_lines(const Overview& overview) {
  std::map<FunctionId, std::int64_t> sums;
  for (const LineCost& line : overview.lines) sums[line.function] += line.self;
  const auto most = std::max_element(
      sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == sums.end()) return "Nothing was measured";
  const Profile& profile = overview.profile;
  return fmt::format("The lines of {} take {} % of {}",
                     short_name(profile, profile.functions[most->first.row()]),
                     percent(overview.share(most->second)), what_is_measured(overview));
}

const RunSummary::Share* find_share(const RunSummary& summary, std::string_view id) {
  for (const RunSummary::Share& share : summary.shares) {
    if (share.id == id) return &share;
  }
  return nullptr;
}

std::string of_waits(const Overview& overview, const RunSummary& summary) {
  if (summary.shares.empty() || overview.total <= 0) return {};
  const auto share_of = [&](std::string_view id) {
    const RunSummary::Share* share = find_share(summary, id);
    return share == nullptr ? 0 : overview.share(share->value);
  };
  if (overview.is_surely_above(share_of(metric::kGilWait), kOftenForGil)) {
    return fmt::format("Threads wait for the GIL {} % of their time",
                       percent(share_of(metric::kGilWait)));
  }
  if (overview.is_surely_above(share_of(metric::kRunnable), kOftenForGil)) {
    return fmt::format("Threads wait for a free core {} % of their time",
                       percent(share_of(metric::kRunnable)));
  }
  if (overview.is_surely_above(share_of("waiting"), kMostly)) {
    return summary.threads > 1 ? fmt::format("Threads spend {} % of their time waiting",
                                             percent(share_of("waiting")))
                               : fmt::format("The program spends {} % of its time waiting",
                                             percent(share_of("waiting")));
  }
  return {};
}

// Of jobs whose ranks are known: time in MPI is lost to all of them.
std::string of_ranks(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankList& list = overview.ranks->list;
  const double all = static_cast<double>(list.wall) * static_cast<double>(list.ranks.size());
  if (all <= 0) return {};
  const double waiting = static_cast<double>(list.mpi_wait) / all;
  if (waiting > kOftenForEachOther) {
    return fmt::format("Ranks wait for each other {} % of their time", percent(waiting));
  }
  const double inside = static_cast<double>(list.mpi) / all;
  if (inside > kMostly) {
    return fmt::format("Ranks spend {} % of their time in MPI", percent(inside));
  }
  return {};
}

// Native code that a function calls is its own in the eyes of a reader.
std::string of_hot_spot(const Overview& overview, const RunSummary::HotSpot& spot) {
  const bool waits_too = spot.share_with_waiting > spot.share + kOftenWaiting;
  if (waits_too) {
    return fmt::format("{} computes for {} % of {}", spot.function, percent(spot.share),
                       what_is_measured(overview));
  }
  return fmt::format("{} takes {} % of {}", spot.function, percent(spot.share_with_waiting),
                     what_is_measured(overview));
}

std::string of_functions(const Overview& overview) {
  const Profile& profile = overview.profile;
  const FunctionCost* most = nullptr;
  for (const FunctionCost& cost : overview.graph.functions) {
    if (most == nullptr || cost.self > most->self) most = &cost;
  }
  if (most == nullptr || most->self <= 0) return "Nothing was measured";
  const Function& function = profile.functions[most->function.row()];
  const double share = overview.share(most->self);
  const std::string name = short_name(profile, function);
  // A system call takes no time: the program waits in it.
  std::string words = function.kind == FunctionKind::kLabel
                          ? fmt::format("{} % of {} is spent in {}", percent(share),
                                        what_is_measured(overview), name)
                          : fmt::format("{} itself takes {} % of {}", name, percent(share),
                                        what_is_measured(overview));
  if (share > kStandsOut) return words;
  return "No function stands out: " + words;
}

}  // namespace

std::string make_verdict(const ViewedProfile& viewed, const RunSummary* summary) {
  const Overview* overview = viewed.overview();
  if (overview == nullptr || summary == nullptr) return of_counters(viewed);
  if (overview->profile.is_sampled && overview->samples == 0 && overview->total == 0) {
    return "The program ended before the first sample";
  }
  if (overview->total == 0 && overview->graph.functions.empty() && overview->lines.empty()) {
    return of_counters(viewed);
  }
  if (overview->graph.functions.empty()) return of_lines(*overview);
  if (std::string ranks = of_ranks(*overview); !ranks.empty()) return ranks;
  if (std::string waits = of_waits(*overview, *summary); !waits.empty()) return waits;
  if (!summary->hot_spots.empty() && !overview->profile.paths_are_estimated) {
    const RunSummary::HotSpot& spot = summary->hot_spots[0];
    if (spot.share > kStandsOut) return of_hot_spot(*overview, spot);
  }
  return of_functions(*overview);
}

}  // namespace pyrometer
