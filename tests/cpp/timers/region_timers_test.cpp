// What regions add up to, on a clock that the test sets.
#include "timers/region_timers.h"

#include <gtest/gtest.h>

#include <thread>

namespace pyrometer {
namespace {

class Timers : public testing::Test {
 protected:
  void enter(const char* name, std::uint64_t now, int flow = 0) {
    timers.enter(timers.find(name), &flows[flow]).begin(now);
  }
  bool leave(const char* name, std::uint64_t now, int flow = 0) {
    return timers.leave(timers.find(name), &flows[flow], now);
  }
  struct Figures {
    std::int64_t count, total, self, shortest, longest;
    friend bool operator==(const Figures&, const Figures&) = default;
    friend void PrintTo(const Figures& figures, std::ostream* out) {
      *out << figures.count << ' ' << figures.total << ' ' << figures.self << ' '
           << figures.shortest << ' ' << figures.longest;
    }
  };
  static Figures read(const RegionFigures& figures) {
    return {figures.count.get(), figures.total.get(), figures.self.get(), figures.shortest.get(),
            figures.longest.get()};
  }
  Figures of(const char* name) { return read(timers.find(name).figures); }

  RegionTimers timers;
  char flows[3] = {};
};

TEST_F(Timers, AddUpOverActivations) {
  enter("a", 10);
  leave("a", 15);
  enter("a", 20);
  leave("a", 40);
  EXPECT_EQ(of("a"), (Figures{2, 25, 25, 5, 20}));
}

TEST_F(Timers, NestedRegionsAreNotTheOuterOnesOwnTime) {
  enter("outer", 0);
  enter("inner", 10);
  leave("inner", 40);
  leave("outer", 100);
  EXPECT_EQ(of("outer"), (Figures{1, 100, 70, 100, 100}));
  EXPECT_EQ(of("inner"), (Figures{1, 30, 30, 30, 30}));
}

TEST_F(Timers, RecursionCountsOnceInTheTotal) {
  enter("f", 0);
  enter("other", 1);
  enter("f", 10);
  leave("f", 20);
  leave("other", 21);
  leave("f", 50);
  EXPECT_EQ(of("f"), (Figures{2, 50, 40, 10, 50}));
}

TEST_F(Timers, TasksThatTakeTurnsDoNotNest) {
  enter("x", 0, 0);
  enter("x", 10, 1);
  leave("x", 30, 0);
  leave("x", 40, 1);
  EXPECT_EQ(of("x"), (Figures{2, 60, 60, 30, 30}));
}

TEST_F(Timers, EndsOutOfTurnAndInAnotherFlow) {
  enter("generator", 0);
  enter("consumer", 10);
  EXPECT_TRUE(leave("generator", 20));
  EXPECT_TRUE(leave("consumer", 30, 2));
  EXPECT_EQ(of("generator"), (Figures{1, 20, 20, 20, 20}));
  EXPECT_EQ(of("consumer"), (Figures{1, 20, 20, 20, 20}));
}

TEST_F(Timers, WhatIsNotOpenCannotEnd) {
  EXPECT_FALSE(leave("x", 1));
  enter("x", 2);
  EXPECT_TRUE(leave("x", 3));
  EXPECT_FALSE(leave("x", 4));
}

TEST_F(Timers, ResetKeepsWhatComesAfter) {
  enter("main", 0);
  enter("warm-up", 0);
  enter("step", 10);
  timers.reset(100);
  leave("step", 110);
  leave("warm-up", 120);
  enter("step", 130);
  leave("step", 150);
  leave("main", 200);
  EXPECT_EQ(of("step"), (Figures{2, 30, 30, 10, 20}));
  EXPECT_EQ(of("warm-up"), (Figures{1, 20, 10, 20, 20}));
  EXPECT_EQ(of("main"), (Figures{1, 100, 60, 100, 100}));
}

TEST_F(Timers, VeryManyNamesAreCountedTogether) {
  for (std::size_t i = 0; i < RegionTimers::kMostRegions + 10; ++i) {
    const std::string name = "region " + std::to_string(i);
    enter(name.c_str(), i);
    leave(name.c_str(), i + 1);
  }
  EXPECT_EQ(of("(other regions)").count, 10);
  EXPECT_EQ(of("region 17").count, 1);
}

class LoggedTimers : public Timers {
 protected:
  void SetUp() override {
    own_region_log = &log;
    begin_region_log = [] { return own_region_log; };
  }
  void TearDown() override {
    own_region_log = nullptr;
    begin_region_log = nullptr;
  }
  RegionLog log{1};
};

TEST_F(LoggedTimers, TellsWhatEndedAndNoRowIsTakenTwice) {
  enter("a", 0, 0);
  enter("b", 1, 1);
  leave("a", 2, 0);
  enter("c", 3, 2);
  leave("b", 4, 1);
  leave("c", 5, 2);
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint32_t>> ended;
  log.ended.drain([&](const EndedRegion& region) {
    ended.emplace_back(*region.name, region.start, region.end, region.row);
    return true;
  });
  EXPECT_EQ(ended, (decltype(ended){{"a", 0, 2, 0}, {"b", 1, 4, 1}, {"c", 3, 5, 0}}));
}

using Open = std::vector<std::tuple<std::string, std::uint64_t, std::uint32_t, std::uint32_t>>;
Open open_in(const RegionLog& log) {
  Open open;
  log.visit_open([&](const EndedRegion& region) {
    open.emplace_back(*region.name, region.start, region.row, region.opener);
  });
  return open;
}

TEST_F(LoggedTimers, TellsWhatIsOpenAndWhoBeganIt) {
  find_region_opener = [] { return std::uintptr_t{76}; };
  number_region_opener = [](std::uintptr_t code) { return static_cast<std::uint32_t>(code + 1); };
  enter("a", 1);
  enter("b", 2);
  EXPECT_EQ(open_in(log), (Open{{"a", 1, 0, 77}, {"b", 2, 1, 77}}));
  leave("a", 3);
  EXPECT_EQ(open_in(log), (Open{{"b", 2, 1, 77}}));
  leave("b", 4);
  EXPECT_EQ(open_in(log), Open());
  std::vector<std::uint32_t> openers;
  log.ended.drain([&](const EndedRegion& region) {
    openers.push_back(region.opener);
    return true;
  });
  EXPECT_EQ(openers, (std::vector<std::uint32_t>{77, 77}));
  find_region_opener = nullptr;
  number_region_opener = nullptr;
}

TEST_F(LoggedTimers, CanBeLookedAtFromAnotherThread) {
  constexpr std::uint64_t kRounds = 20'000;
  std::atomic<bool> is_over{false};
  std::size_t wrong = 0, ended = 0;
  std::thread recorder([&] {
    while (!is_over.load()) {
      // "even" regions begin at even times, "odd" ones at odd times.
      log.visit_open([&](const EndedRegion& region) {
        wrong += *region.name != (region.start % 2 == 0 ? "even" : "odd") ? 1 : 0;
      });
      log.ended.drain([&](const EndedRegion&) { return ++ended > 0; });
    }
  });
  for (std::uint64_t now = 1; now <= kRounds; ++now) {
    const char* name = now % 2 == 0 ? "even" : "odd";
    enter(name, now);
    leave(name, now);
  }
  is_over = true;
  recorder.join();
  log.ended.drain([&](const EndedRegion&) { return ++ended > 0; });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(ended + log.dropped.load(), kRounds);
}

TEST_F(LoggedTimers, MarksStandInTheRowBelowWhatIsOpen) {
  const std::string* text = timers.keep_mark("step i=5");
  EXPECT_EQ(timers.keep_mark("step i=5"), text);
  enter("a", 0);
  log.mark(*text, 3);
  leave("a", 10);
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint32_t>> ended;
  log.ended.drain([&](const EndedRegion& region) {
    ended.emplace_back(*region.name, region.start, region.end, region.row);
    return true;
  });
  EXPECT_EQ(ended, (decltype(ended){{"step i=5", 3, 3, 1}, {"a", 0, 10, 0}}));
}

TEST_F(LoggedTimers, ResetDoesNotTouchWhatIsRecorded) {
  enter("a", 0);
  timers.reset(10);
  leave("a", 15);
  EXPECT_EQ(read(timers.find("a").recorded), (Figures{1, 15, 15, 15, 15}));
  EXPECT_EQ(of("a"), (Figures{1, 5, 5, 5, 5}));
}

TEST_F(LoggedTimers, ForkedChildRecordsNothingOfItsParent) {
  enter("a", 0);
  leave("a", 10);
  enter("a", 20);
  timers.forget_recorded();
  leave("a", 30);
  EXPECT_EQ(read(timers.find("a").recorded), (Figures{0, 0, 0, 0, 0}));
  EXPECT_EQ(of("a"), (Figures{2, 20, 20, 10, 10}));
}

}  // namespace
}  // namespace pyrometer
