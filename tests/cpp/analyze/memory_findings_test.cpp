#include <gtest/gtest.h>

#include "analyze/findings/findings.h"
#include "support/memory_profile.h"

namespace pyrometer {
namespace {

using testing::MemoryProfile;
constexpr std::int64_t kMB = 1'000'000;
constexpr std::int64_t kMiB = MemoryProfile::kMiB;

std::vector<std::string> sentences(const Profile& profile) {
  std::vector<std::string> all;
  for (const Finding& finding : find_all_of_memory(make_overview(profile, MetricId(0)))) {
    all.push_back(finding.id + ": " + finding.sentence);
  }
  return all;
}

using Sentences = std::vector<std::string>;

TEST(MemoryFindings, NothingIsSaidOfModestPrograms) {
  MemoryProfile program;
  program.begin_process({{"memory.rss-peak", "700"}, {"memory.limit", "1000"}});
  program.set("main:1", "peak", 99 * kMB);
  program.set("main:1", "temporary", 900 * kMB);
  program.set("main:1", "untouched", 99 * kMB);
  EXPECT_EQ(sentences(program.finish()), Sentences{});
}

TEST(MemoryFindings, PeakOwner) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;load:7", "peak", 512 * kMiB);
  program.set("main:4;solve:9", "peak", 512 * kMiB);
  program.set("main:5;np_ones:2", "peak", 1024 * kMiB);
  EXPECT_EQ(sentences(program.finish()),
            Sentences{"peak-owner: 50 % of the peak of 2.00 GiB is held by np_ones (np_ones.py:2), "
                      "called from main (main.py:5): it decides how much memory the program "
                      "needs."});
}

TEST(MemoryFindings, WhatWasNeverTouchedNeedsNoMemory) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;empty:7", "peak", 1024 * kMiB);
  program.set("main:3;empty:7", "untouched", 900 * kMiB);
  program.set("main:4;solve:9", "peak", 100 * kMiB);
  const Sentences all = sentences(program.finish());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].starts_with("untouched-memory: ")) << all[0];
}

TEST(MemoryFindings, Churn) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;step:7", "temporary", 8 * 1024 * kMiB);
  program.set("main:3;step:7", "allocations", 1'000);
  program.set("main:3;step:7", "peak", 40 * kMiB);
  program.set("main:3;step:8", "temporary", 2 * 1024 * kMiB);
  EXPECT_EQ(sentences(program.finish()),
            Sentences{"memory-churn: 10.0 GiB were allocated and freed again at once, 8.00 GiB by "
                      "step (step.py:7): reuse buffers, or compute in place (out=, +=)."});
}

TEST(MemoryFindings, Copies) {
  const auto copying = [](std::int64_t copied) {
    MemoryProfile program;
    program.begin_process();  // of ten seconds
    program.set("main:3;step:7", "copied", copied);
    program.set("main:3;step:7", "copies", 1'024);
    program.set("main:3;step:8", "copied", 1024 * kMiB);
    return sentences(program.finish());
  };
  EXPECT_EQ(copying(8 * 1024 * kMiB),
            Sentences{"memory-copies: 9.00 GiB were copied, 8.00 GiB of it by step (step.py:7), "
                      "8.00 MiB at a time: pass views of arrays and buffers, or fill what is "
                      "there (out=, memoryview, readinto)."});
  EXPECT_EQ(copying(4 * 1024 * kMiB), Sentences{});  // in so much time that is little
}

TEST(MemoryFindings, Untouched) {
  MemoryProfile program;
  program.begin_process();
  program.set("main:3;empty:7", "untouched", 200 * kMiB);
  EXPECT_EQ(sentences(program.finish()),
            Sentences{"untouched-memory: 200 MiB of live memory were never touched, 200 MiB of "
                      "empty (empty.py:7): they count as heap and are not resident."});
}

TEST(MemoryFindings, Leak) {
  MemoryProfile program;
  program.begin_process();
  MemoryProfile::Points points;
  for (int i = 1; i <= 100; ++i) points.emplace_back(i / 10.0, i * kMiB);
  program.live("main:3;remember:7", points);
  EXPECT_EQ(sentences(program.finish()),
            Sentences{"memory-leak: Memory of remember (remember.py:7) keeps growing, by 10.0 "
                      "MiB/s to 100 MiB at the end: who should let it go?"});
}

TEST(MemoryFindings, NearTheLimitOrTheMachines) {
  MemoryProfile limited;
  limited.begin_process({{"memory.rss-peak", std::to_string(900 * kMiB)},
                         {"memory.limit", std::to_string(1000 * kMiB)},
                         {"memory.physical", std::to_string(8000 * kMiB)}});
  EXPECT_EQ(sentences(limited.finish()),
            Sentences{"memory-limit: The program came near the end of memory: 900 MiB resident, 90 "
                      "% of the limit of 1,000 MiB; a little more input and it is killed."});
  MemoryProfile ranks;
  for (const char* resident : {"100", "950", "990"}) {
    ranks.begin_process({{"memory.rss-peak", resident}, {"memory.physical", "1000"}});
  }
  EXPECT_EQ(sentences(ranks.finish()),
            Sentences{"memory-limit: 2 of 3 processes came near the end of memory: 990 B resident, "
                      "99 % of the machine's 1,000 B; a little more input and it is killed."});
}

TEST(MemoryFindings, RanksThatNeedMuchMoreThanTheMean) {
  const auto job = [](const std::vector<std::int64_t>& peaks) {
    MemoryProfile ranks;
    for (const std::int64_t peak : peaks) {
      ranks.begin_process({{"memory.heap-peak", std::to_string(peak * kMiB)}});
    }
    return ranks.finish();
  };
  EXPECT_EQ(sentences(job({1000, 1000, 1000, 5000})),
            Sentences{"uneven-memory: Memory is spread unevenly: rank 3 peaks at 4.88 GiB of heap, "
                      "the mean is 1.95 GiB (imbalance 2.50); every host needs room for as much as "
                      "the largest rank takes."});
  EXPECT_EQ(sentences(job({1000, 1000, 1000, 1300})), Sentences{});  // little more than the others
  EXPECT_EQ(sentences(job({10, 10, 10, 90})), Sentences{});          // little altogether
  EXPECT_EQ(sentences(job({5000})), Sentences{});
}

TEST(MemoryFindings, ProcessesThatAreNoRanksMayDiffer) {
  MemoryProfile program;
  for (const char* peak : {"9000000000", "1000000"}) {
    program.begin_process({{"memory.heap-peak", peak}});
    program.builder().profile().processes.back().rank = -1;
  }
  EXPECT_EQ(sentences(program.finish()), Sentences{});
}

// Ranks on one machine of 1,000 MiB, each with so many for all the time.
Profile ranks_on_a_host(const std::vector<std::int64_t>& residents,
                        const MemoryProfile::Attributes& more = {}) {
  MemoryProfile ranks;
  for (const std::int64_t resident : residents) {
    MemoryProfile::Attributes attributes{{"memory.physical", std::to_string(1000 * kMiB)}};
    attributes.insert(attributes.end(), more.begin(), more.end());
    ranks.begin_process(attributes);
    ranks.counter("memory", {{1, resident * kMiB}, {2, resident * kMiB}});
  }
  return ranks.finish();
}

TEST(MemoryFindings, RanksThatFillTheirHostTogether) {
  EXPECT_EQ(sentences(ranks_on_a_host({400, 450})),
            Sentences{"host-memory: The 2 ranks on node came near the end of its memory together: "
                      "850 MiB resident at 1.00 s, 85 % of the machine's 1,000 MiB; put fewer of "
                      "them on a host."});
  EXPECT_EQ(sentences(ranks_on_a_host({400, 350})), Sentences{});
  EXPECT_EQ(sentences(ranks_on_a_host({600, 600})), Sentences{});  // they share pages
}

TEST(MemoryFindings, ALimitCountsWhereAllShareIt) {
  const auto limited = [](std::int64_t cgroup_peak) {
    return sentences(
        ranks_on_a_host({200, 250}, {{"memory.limit", std::to_string(500 * kMiB)},
                                     {"memory.cgroup-peak", std::to_string(cgroup_peak * kMiB)}}));
  };
  ASSERT_EQ(limited(460).size(), 1U);
  EXPECT_NE(limited(460)[0].find("90 % of the limit of 500 MiB"), std::string::npos);
  EXPECT_EQ(limited(260), Sentences{});  // each has a cgroup of its own
}

}  // namespace
}  // namespace pyrometer
