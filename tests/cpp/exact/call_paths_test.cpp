#include "exact/call_paths.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "exact/call_model.h"
#include "exact/summary.h"

namespace pyrometer {
namespace {

std::uint64_t fake_now = 0;
CallClock fake_clock() {
  return {.custom = [](void*) { return fake_now; }};
}

// Functions are told apart by addresses; any will do.
std::array<char, 64> addresses;
CallPath::Key key_of(std::uint32_t function) { return &addresses[function]; }

class Traced {
 public:
  explicit Traced(std::uint32_t most_paths = CallPaths::kMostPaths)
      : paths(fake_clock(), most_paths) {
    paths.begin();
  }
  void enter(std::uint32_t function) {
    model.enter(function, static_cast<std::int64_t>(fake_now));
    open.push_back(function);
    paths.enter(key_of(function), [&] { return function; });
  }
  void leave() {
    paths.leave(key_of(open.back()));
    model.leave(static_cast<std::int64_t>(fake_now));
    open.pop_back();
  }

  CallPaths paths;
  CallModel model;
  std::vector<std::uint32_t> open;
};

void expect_equal(const CallStatistics& ours, const CallStatistics& theirs) {
  EXPECT_EQ(ours.calls, theirs.calls);
  EXPECT_EQ(ours.recursive_calls, theirs.recursive_calls);
  EXPECT_EQ(ours.self, theirs.self);
  EXPECT_EQ(ours.total, theirs.total);
}

void expect_same_counts(const Traced& traced) {
  const auto counts = summarize_calls(traced.paths);
  ASSERT_EQ(counts.functions.size(), traced.model.functions.size());
  for (const auto& [function, expected] : traced.model.functions) {
    SCOPED_TRACE(function);
    expect_equal(counts.functions.at(function), expected);
  }
  ASSERT_EQ(counts.pairs.size(), traced.model.edges.size());
  for (const auto& [edge, expected] : traced.model.edges) {
    SCOPED_TRACE(edge.first);
    SCOPED_TRACE(edge.second);
    expect_equal(counts.pairs.at({edge.first, edge.second}), expected);
  }
}

// Any order of calls and returns, with time passing in between.
void run_at_random(Traced& traced, unsigned seed, std::uint32_t functions, int events,
                   std::size_t deepest) {
  std::minstd_rand random(seed);
  for (int i = 0; i < events; ++i) {
    fake_now += random() % 100;
    const bool goes_down =
        traced.open.empty() || (traced.open.size() < deepest && random() % 100 < 52);
    if (goes_down) {
      traced.enter(static_cast<std::uint32_t>(random() % functions));
    } else {
      traced.leave();
    }
  }
  while (!traced.open.empty()) traced.leave();
}

TEST(CallPaths, CountAsCProfileDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Traced traced;
    run_at_random(traced, seed, 5, 5'000, 12);
    expect_same_counts(traced);
    EXPECT_FALSE(traced.paths.is_folded());
  }
}

TEST(CallPaths, FoldedPathsChangeNoCount) {
  for (const std::uint32_t most_paths : {2U, 10U, 100U}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(most_paths);
      SCOPED_TRACE(seed);
      Traced traced(most_paths);
      run_at_random(traced, seed, 4, 5'000, 20);
      expect_same_counts(traced);
      EXPECT_TRUE(traced.paths.is_folded());
    }
  }
}

TEST(CallPaths, SelfTimesAddUpToAllTime) {
  Traced traced(50);
  const std::uint64_t start = fake_now;
  run_at_random(traced, 7, 6, 20'000, 30);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < traced.paths.size(); ++i) sum += traced.paths.path(i).self;
  EXPECT_EQ(sum, static_cast<std::int64_t>(fake_now - start));
}

TEST(CallPaths, GoAsDeepAsTheProgramDoes) {
  Traced traced;
  constexpr int kDepth = 60'000;
  for (int i = 0; i < kDepth; ++i) traced.enter(3);
  fake_now += 10;
  for (int i = 0; i < kDepth; ++i) traced.leave();
  expect_same_counts(traced);
  EXPECT_EQ(traced.model.functions[3].recursive_calls, kDepth - 1);
}

TEST(CallPaths, ReturnsFromBeforeTheBeginningAreIgnored) {
  Traced traced;
  traced.paths.leave(key_of(1));
  traced.enter(2);
  traced.paths.leave(key_of(1));
  traced.leave();
  expect_same_counts(traced);
}

TEST(CallPaths, AMissedReturnEndsTheCallsBelow) {
  CallPaths paths(fake_clock());
  paths.begin();
  for (const std::uint32_t function : {1U, 2U, 3U}) {
    paths.enter(key_of(function), [&] { return function; });
  }
  fake_now += 5;
  paths.leave(key_of(1));
  EXPECT_EQ(paths.position()->function, kNoFunction);
  EXPECT_EQ(summarize_calls(paths).functions.at(1).total, 5);
}

TEST(CallPaths, OpenCallsAreCountedOnceTheyEnd) {
  CallPaths paths(fake_clock());
  paths.begin();
  paths.enter(key_of(1), [] { return 1U; });
  paths.enter(key_of(2), [] { return 2U; });
  fake_now += 7;
  EXPECT_EQ(summarize_calls(paths).functions.at(1).calls, 0);
  paths.end();
  EXPECT_EQ(summarize_calls(paths).functions.at(1).calls, 1);
  EXPECT_EQ(summarize_calls(paths).functions.at(2).self, 7);
}

TEST(CallPaths, NothingIsCountedOutsideOfBeginAndEnd) {
  CallPaths paths(fake_clock());
  paths.enter(key_of(1), [] { return 1U; });
  paths.leave(key_of(1));
  paths.begin();
  paths.end();
  paths.enter(key_of(1), [] { return 1U; });
  EXPECT_TRUE(summarize_calls(paths).functions.empty());
}

TEST(CallPaths, ClearForgetsEverythingAndGoesOn) {
  Traced traced(20);
  run_at_random(traced, 3, 4, 1'000, 10);
  traced.paths.clear();
  EXPECT_TRUE(summarize_calls(traced.paths).functions.empty());
  EXPECT_FALSE(traced.paths.is_folded());
  traced.paths.enter(key_of(1), [] { return 1U; });
  traced.paths.leave(key_of(1));
  EXPECT_EQ(summarize_calls(traced.paths).functions.at(1).calls, 1);
}

}  // namespace
}  // namespace pyrometer
