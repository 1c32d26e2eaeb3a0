#include <gtest/gtest.h>

#include <functional>

#include "analyze/memory/host_memory.h"
#include "analyze/memory/live_history.h"
#include "analyze/memory/live_memory.h"
#include "analyze/memory/memory_facts.h"
#include "analyze/memory/memory_of_processes.h"
#include "analyze/memory/memory_series.h"
#include "analyze/memory/memory_spread.h"
#include "analyze/memory/memory_words.h"
#include "support/memory_profile.h"

namespace pyrometer {
namespace {

using testing::MemoryProfile;
constexpr std::int64_t kMiB = MemoryProfile::kMiB;
constexpr std::int64_t kSecond = MemoryProfile::kSecond;

// A snapshot every tenth of a second for ten seconds.
MemoryProfile::Points snapshots(const std::function<std::int64_t(double)>& live) {
  MemoryProfile::Points points;
  for (int i = 1; i <= 100; ++i) points.emplace_back(i / 10.0, live(i / 10.0));
  return points;
}

TEST(MemorySites, LinesOwnWhatNativeCodeBelowThemAllocates) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;load:7", "peak", 10 * kMiB);
  program.set("main:3;load:7;libhdf5.so", "peak", 30 * kMiB);
  program.set("main:4;load:7", "allocated", 5 * kMiB);
  program.set("main:4;load:8", "peak", 1 * kMiB);
  program.set("libomp.so", "live", 2 * kMiB);
  const Profile profile = program.finish();
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  ASSERT_EQ(sites.size(), 3U);
  sort_by(sites, &MemoryFigures::peak);
  ASSERT_EQ(sites.size(), 2U);  // what has no peak is no owner of it
  EXPECT_EQ(place_words(profile, sites[0].place), "load (load.py:7)");
  EXPECT_EQ(sites[0].figures.peak, 40 * kMiB);
  EXPECT_EQ(sites[0].figures.allocated, 5 * kMiB);
  EXPECT_TRUE(sites[0].caller.function.is_none());

  std::vector<MemorySite> functions = memory_sites(profile, MemoryUnit::kFunction);
  sort_by(functions, &MemoryFigures::peak);
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].figures.peak, 41 * kMiB);
}

TEST(MemorySites, LibrariesAllocateForTheUsersLine) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;np_ones:9", "peak", 10 * kMiB);
  program.set("main:4;np_full:2;np_ones:9", "peak", 30 * kMiB);
  const Profile profile = program.finish();
  const std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(site_words(profile, sites[0], &MemoryFigures::peak),
            "np_ones (np_ones.py:9), 75 % of it called from main (main.py:4)");
}

TEST(MemorySites, ACallerIsTheOneThatHoldsMostOfWhatIsAskedFor) {
  MemoryProfile program;
  program.begin_process();
  program.set("scratch:4;np_ones:9", "allocated", 900);
  program.set("scratch:4;np_ones:9", "peak", 10);
  program.set("keep:7;np_ones:9", "allocated", 100);
  program.set("keep:7;np_ones:9", "peak", 90);
  const Profile profile = program.finish();
  std::vector<MemorySite> sites = memory_sites(profile, MemoryUnit::kLine);
  const auto caller = [&] { return place_words(profile, sites.at(0).caller); };
  EXPECT_EQ(caller(), "keep (keep.py:7)");
  sort_by(sites, &MemoryFigures::allocated);
  EXPECT_EQ(caller(), "scratch (scratch.py:4)");
  sort_by(sites, &MemoryFigures::peak);
  EXPECT_EQ(site_words(profile, sites.at(0), &MemoryFigures::peak),
            "np_ones (np_ones.py:9), 90 % of it called from keep (keep.py:7)");
}

TEST(MemoryPaths, TheHeaviestFirstFromTheOutermostFrame) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;load:7", "peak", 10);
  program.set("main:4;load:7;libhdf5.so", "peak", 30);
  program.set("main:5;load:7", "live", 50);
  const Profile profile = program.finish();
  const auto heaviest = [&](std::size_t most, const IsPlaceWanted& is_wanted) {
    return memory_paths(profile, &MemoryFigures::peak, most, is_wanted);
  };
  const auto is_any = [](const MemoryPlace&) { return true; };
  const std::vector<MemoryPath> paths = heaviest(9, is_any);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].figures.peak, 30);
  ASSERT_EQ(paths[0].frames.size(), 3U);
  EXPECT_EQ(place_words(profile, paths[0].frames[0]), "main (main.py:4)");
  EXPECT_EQ(heaviest(1, is_any).size(), 1U);
  // What native code allocates is its caller's line.
  const auto is_load = [&](const MemoryPlace& place) {
    return place_words(profile, place) == "load (load.py:7)";
  };
  EXPECT_EQ(heaviest(9, is_load).size(), 2U);
  EXPECT_TRUE(heaviest(9, std::not_fn(is_load)).empty());
}

TEST(FindGrowth, WhatGrowsToTheEndIsFoundQuickestFirst) {
  MemoryProfile program;
  program.begin_process();
  program.live("main:1;slow:5", snapshots([](double t) { return std::int64_t(t * 2 * kMiB); }));
  program.live("main:1;quick:6", snapshots([](double t) { return std::int64_t(t * 8 * kMiB); }));
  program.live("main:2;quick:6", snapshots([](double t) { return std::int64_t(t * kMiB); }));
  const Profile profile = program.finish();
  const std::vector<GrowingMemory> growing = find_growth(profile);
  ASSERT_EQ(growing.size(), 2U);
  EXPECT_EQ(place_words(profile, growing[0].place), "quick (quick.py:6)");
  EXPECT_EQ(growing[0].live, 90 * kMiB);
  EXPECT_NEAR(growing[0].rate, 9.0 * kMiB, 0.2 * kMiB);
  EXPECT_NEAR(static_cast<double>(growing[0].growth), 45.0 * kMiB, kMiB);
  EXPECT_EQ(place_words(profile, growing[1].place), "slow (slow.py:5)");
}

TEST(FindGrowth, BuildingUpSawteethAndStepsAreNoLeaks) {
  MemoryProfile program;
  program.begin_process();
  const auto add = [&](const char* path, const std::function<double(double)>& live) {
    program.live(path, snapshots([&](double t) { return std::int64_t(live(t) * kMiB); }));
  };
  add("main:1;built_up:1", [](double t) { return std::min(t, 4.0) * 20; });
  add("main:1;one_step:1", [](double t) { return t < 8 ? 10 : 200; });
  add("main:1;two_steps:1", [](double t) { return t < 6 ? 10 : t < 8 ? 100 : 200; });
  add("main:1;sawtooth:1", [](double t) { return 10 + 100 * std::fmod(t, 1.0); });
  add("main:1;steady:1", [](double) { return 500; });
  add("main:1;freed:1", [](double t) { return t < 9.5 ? 10 * t : 0; });
  add("main:1;tiny:1", [](double t) { return t / 100; });
  EXPECT_TRUE(find_growth(program.finish()).empty());
}

TEST(FindGrowth, EstimatesMustGrowByMoreThanTheirNoise) {
  const auto found = [](const char* mode) {
    MemoryProfile program;
    program.begin_process({{"memory.mode", mode}, {"memory.sample-bytes", "524288"}});
    program.live("main:1;cache:1",
                 snapshots([](double t) { return std::int64_t((400 + t) * kMiB); }));
    return find_growth(program.finish()).size();
  };
  EXPECT_EQ(found("exact"), 1U);
  EXPECT_EQ(found("sampled"), 0U);  // 5 MiB more, where 28 are likely by chance
}

TEST(FindGrowth, ProcessesAddUp) {
  MemoryProfile program;
  for (int rank = 0; rank < 3; ++rank) {
    program.begin_process();
    const int rate = rank == 2 ? 0 : 4;
    program.live("main:1;cache:1",
                 snapshots([&](double t) { return std::int64_t(rate * t * kMiB); }));
  }
  const std::vector<GrowingMemory> growing = find_growth(program.finish());
  ASSERT_EQ(growing.size(), 1U);
  EXPECT_EQ(growing[0].processes, 2U);
  EXPECT_EQ(growing[0].live, 80 * kMiB);
}

TEST(LiveAt, LastSnapshotOfEachProcessOnItsOwnClock) {
  MemoryProfile program;
  program.begin_process();
  program.live("main:1;load:1", {{1, 10}, {2, 30}, {4, 20}});
  program.live("main:2;load:1", {{3, 5}});
  program.begin_process({}, 1.0);  // a second later
  program.live("main:1;load:1", {{1, 100}});
  const Profile profile = program.finish();
  EXPECT_TRUE(live_at(profile, kSecond / 2).empty());
  const auto bytes_at = [&](double seconds) {
    const auto rows = live_at(profile, static_cast<std::int64_t>(seconds * 1e9));
    return rows.size() == 1 ? rows[0].bytes : -1;
  };
  EXPECT_EQ(bytes_at(1.5), 10);
  EXPECT_EQ(bytes_at(2.0), 30 + 100);
  EXPECT_EQ(bytes_at(10), 20 + 5 + 100);
  EXPECT_EQ(bytes_at(10.5), 100);  // the first one has ended
  EXPECT_EQ(bytes_at(99), 100);
}

TEST(LiveHistory, EachPlaceAtEveryMomentOfAnySnapshot) {
  MemoryProfile program;
  program.begin_process();
  program.live("main:1;load:1", {{1, 10}, {2, 30}, {4, 20}});
  program.live("main:2;keep:1", {{2, 500}});
  program.begin_process({}, 1.0);
  program.live("main:1;load:1", {{1, 100}});
  const Profile profile = program.finish();
  const LiveHistory history = live_history(profile, 100, 100);
  // The first process ends after 10 s.
  EXPECT_EQ(history.moments,
            (std::vector<std::int64_t>{kSecond, 2 * kSecond, 4 * kSecond, 10 * kSecond + 1}));
  ASSERT_EQ(history.tracks.size(), 2U);
  EXPECT_EQ(place_words(profile, history.tracks[0].place), "keep (keep.py:1)");
  EXPECT_EQ(history.tracks[0].bytes, (std::vector<std::int64_t>{0, 500, 500, 0}));
  EXPECT_EQ(history.tracks[1].bytes, (std::vector<std::int64_t>{10, 130, 120, 100}));
  for (std::size_t i = 0; i < history.moments.size(); ++i) {
    for (const LiveMemory& live : live_at(profile, history.moments[i])) {
      const bool is_keep = live.place == history.tracks[0].place;
      EXPECT_EQ(history.tracks[is_keep ? 0 : 1].bytes[i], live.bytes);
    }
  }
}

TEST(LiveHistory, OfTooMuchTheLastMomentAndTheLargestPlacesStay) {
  MemoryProfile program;
  program.begin_process();
  program.live("main:1;small:1", snapshots([](double) { return kMiB; }));
  program.live("main:1;large:1", snapshots([](double t) { return std::int64_t(t * 9 * kMiB); }));
  const LiveHistory history = live_history(program.finish(), 10, 1);
  EXPECT_EQ(history.moments.size(), 10U);
  EXPECT_EQ(history.moments.back(), 10 * kSecond);
  ASSERT_EQ(history.tracks.size(), 1U);
  EXPECT_EQ(history.tracks[0].bytes.back(), 90 * kMiB);
  EXPECT_EQ(history.tracks_left_out, 1U);
}

TEST(MemoryFacts, OfOneProcess) {
  MemoryProfile program;
  program.begin_process({{"memory.mode", "sampled"},
                         {"memory.heap-peak", "1000"},
                         {"memory.heap-peak-time", std::to_string(52 * kSecond)},
                         {"memory.rss-peak", "900"},
                         {"memory.limit", "2000"},
                         {"memory.physical", "8000"},
                         {"memory.sizes", "4:10 11:500 x 7: 99:1 12:-3"}});
  program.set("main:1", "live", 400);
  program.set("main:1", "live-numpy", 300);
  program.counter("heap", {{1, 700}, {2, 990}});
  program.counter("memory", {{1, 600}, {3, 880}});
  const MemoryFacts facts = make_memory_facts(program.finish());
  ASSERT_EQ(facts.processes.size(), 1U);
  const ProcessMemory& memory = facts.processes[0];
  EXPECT_EQ(memory.heap->bytes, 1000);
  EXPECT_EQ(memory.heap->time, 2 * kSecond);
  EXPECT_EQ(memory.resident->bytes, 900);
  EXPECT_EQ(memory.resident->time, 3 * kSecond);  // of the counter's highest point
  EXPECT_EQ(memory.available(), 2000);
  EXPECT_EQ(facts.figures.live, 400);
  EXPECT_EQ(facts.figures.live_numpy, 300);
  EXPECT_TRUE(facts.is_sampled());
  EXPECT_FALSE(facts.heap_together);
  ASSERT_EQ(facts.sizes.size(), 2U);
  EXPECT_EQ(facts.sizes[1].bits, 11U);
  EXPECT_EQ(facts.sizes[1].count, 500);
}

TEST(MemoryFacts, OfProcessesTogetherAtOneMoment) {
  MemoryProfile program;
  program.begin_process();
  program.counter("heap", {{1, 100}, {2, 10}});
  program.begin_process({}, 1.0);
  program.counter("heap", {{0.5, 30}, {1.5, 120}});
  program.begin_process();  // says nothing
  const MemoryFacts facts = make_memory_facts(program.finish());
  EXPECT_EQ(facts.processes.size(), 2U);
  ASSERT_TRUE(facts.heap_together);
  EXPECT_EQ(facts.heap_together->bytes, 130);  // both, at 1.5 s
  EXPECT_EQ(facts.heap_together->time, 3 * kSecond / 2);
  EXPECT_FALSE(facts.resident_together);
  EXPECT_EQ(facts.duration, 11 * kSecond);
}

TEST(MemorySeries, TrendIsTheClosestLine) {
  const MemorySeries series{ProcessId(0), MemorySeries::Kind::kHeap, {{0, 10}, {kSecond, 30}}};
  const auto trend = trend_of(series);
  ASSERT_TRUE(trend);
  EXPECT_DOUBLE_EQ(trend->slope, 20);
  EXPECT_DOUBLE_EQ(trend->start, 10);
  EXPECT_FALSE(trend_of({ProcessId(0), MemorySeries::Kind::kHeap, {{5, 10}, {5, 30}}}));
}

TEST(MemorySpread, OfRanksEachByItsLargestProcess) {
  MemoryProfile job;
  for (const std::int64_t peak : {100, 300, 200}) {
    job.begin_process({{"memory.heap-peak", std::to_string(peak)}});
    job.set("main:1", "live", peak / 10);
  }
  job.begin_process({{"memory.heap-peak", "50"}});  // a child of rank 2
  job.builder().profile().processes.back().rank = 2;
  job.begin_process({{"memory.heap-peak", "7"}});  // what started them
  job.builder().profile().processes.back().rank = -1;
  const Profile profile = job.finish();
  const MemorySpread spread = spread_of_memory(profile, make_memory_facts(profile));
  EXPECT_TRUE(spread.is_of_ranks);
  ASSERT_EQ(spread.processes.size(), 3U);
  EXPECT_EQ(spread.heap.ranks, 3U);
  EXPECT_EQ(spread.heap.least, 100);
  EXPECT_EQ(spread.heap.maximum, 300);
  EXPECT_EQ(spread.processes[spread.heap.maximum_rank], ProcessId(1));
  EXPECT_DOUBLE_EQ(spread.heap.mean(3), 200);
  EXPECT_DOUBLE_EQ(spread.heap.imbalance(3), 1.5);
  EXPECT_TRUE(spread.resident.is_empty());
  EXPECT_EQ(spread.live.maximum, 30);
}

TEST(HostMemory, AddsUpWhatProcessesHaveAtOneMoment) {
  MemoryProfile job;
  for (const double start : {0.0, 1.0}) {
    job.begin_process({{"memory.physical", "1000"}}, start);
    job.counter("memory", {{1, 100}, {2, 300}, {3, 100}});
  }
  job.begin_process();
  job.builder().profile().processes.back().host = "other";
  job.counter("memory", {{1, 700}});
  const Profile profile = job.finish();
  const auto hosts = memory_of_hosts(profile, make_memory_facts(profile), memory_series(profile));
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0].name, "node");
  EXPECT_EQ(hosts[0].processes, 2U);
  EXPECT_EQ(hosts[0].ranks, 2U);
  EXPECT_EQ(hosts[0].resident->bytes, 400);  // the peaks are a second apart
  EXPECT_EQ(hosts[0].resident->time, 2 * kSecond);
  EXPECT_EQ(hosts[0].share(), 0.4);
  EXPECT_FALSE(hosts[0].is_limit);
  EXPECT_EQ(hosts[1].resident->bytes, 700);
  EXPECT_EQ(hosts[1].share(), std::nullopt);
}

TEST(MemoryOfProcesses, HasNothingOfTheOthers) {
  MemoryProfile job;
  for (const std::int64_t size : {10, 20}) {
    job.begin_process({{"memory.heap-peak", std::to_string(size)}}, size == 20 ? 3 : 0);
    job.set("main:1;load:7", "peak", size);
    job.set("main:1;load:7", "live", size / 2);
    job.counter("heap", {{1, size}});
    job.live("main:1;load:7", {{1, size}});
  }
  const Profile whole = job.finish();
  const Profile second = memory_of_processes(whole, {false, true});
  const MemoryFacts facts = make_memory_facts(second);
  ASSERT_EQ(facts.processes.size(), 1U);
  EXPECT_EQ(facts.processes[0].process, ProcessId(1));
  EXPECT_EQ(facts.processes[0].heap->bytes, 20);
  EXPECT_EQ(facts.figures.live, 10);
  EXPECT_EQ(facts.duration, make_memory_facts(whole).duration);  // one scale of time
  const auto sites = memory_sites(second, MemoryUnit::kLine);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(sites[0].figures.peak, 20);
  EXPECT_EQ(memory_series(second).size(), 1U);
  EXPECT_TRUE(live_at(second, 2 * kSecond).empty());
  EXPECT_EQ(live_at(second, 4 * kSecond)[0].bytes, 20);
}

}  // namespace
}  // namespace pyrometer
