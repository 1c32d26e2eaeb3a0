#include "profile/mpi_values.h"

#include <gtest/gtest.h>

#include "profile/builder.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

// A rank whose line 7 calls MPI_Barrier.
Profile rank_with(std::int64_t rank, MpiCalls calls) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.rank = rank});
  calls.thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const NodeId line = builder.node(
      NodeId::none(), builder.function({.name = "step", .file = "a.py", .short_file = "a.py"}), 7);
  calls.node = builder.node(line,
                            builder.function({.kind = FunctionKind::kNative,
                                              .name = "MPI_Barrier",
                                              .file = kMpiFile,
                                              .short_file = kMpiFile}),
                            0);
  builder.add_mpi_calls(calls);
  return builder.finish();
}

std::int64_t of_rank(const Profile& profile, std::size_t process, std::string_view metric) {
  return profile.process_totals[process][profile.find_metric(metric)->row()];
}

TEST(MpiValues, WaitingIsWhatIsBeyondTheQuickestOfAllRanks) {
  const Profile early = rank_with(
      0, {.communicator = 2, .calls = 10, .time = 5'000, .quickest = 400, .slowest = 900});
  EXPECT_EQ(of_rank(early, 0, metric::kMpiWait), 1'000);  // all that one rank can know

  const Profile late =
      rank_with(1, {.communicator = 2, .calls = 10, .time = 120, .quickest = 10, .slowest = 30});
  ProfileBuilder builder;
  builder.add_profile(early);
  builder.add_profile(late);
  const Profile both = builder.finish();
  EXPECT_EQ(of_rank(both, 0, metric::kMpiTime), 5'000);
  EXPECT_EQ(of_rank(both, 0, metric::kMpiWait), 4'900);
  EXPECT_EQ(of_rank(both, 1, metric::kMpiWait), 20);
  EXPECT_EQ(of_rank(both, 0, metric::kMpiCalls), 10);
  ASSERT_EQ(both.mpi_calls.size(), 2U);
  EXPECT_EQ(both.mpi_calls[0].node, both.mpi_calls[1].node);
  EXPECT_TRUE(is_mpi_function(both, both.function_of(both.mpi_calls[0].node)));

  ProfileBuilder again;
  again.add_profile(both);
  EXPECT_EQ(of_rank(again.finish(), 0, metric::kMpiWait), 4'900);
}

TEST(MpiValues, CallsOfAnotherSizeOrCommunicatorAreNoMeasure) {
  ProfileBuilder builder;
  builder.add_profile(rank_with(0, {.communicator = 2, .calls = 1, .time = 500, .quickest = 500}));
  builder.add_profile(rank_with(1, {.communicator = 3, .calls = 1, .time = 10, .quickest = 10}));
  builder.add_profile(
      rank_with(2, {.communicator = 2, .size_class = 4, .calls = 1, .time = 20, .quickest = 20}));
  const Profile profile = builder.finish();
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(of_rank(profile, rank, metric::kMpiWait), 0) << rank;
  }
}

TEST(MpiValues, HostileNumbersStayWithinBounds) {
  const Profile profile =
      rank_with(0, {.calls = INT64_MAX, .time = 100, .quickest = INT64_MAX, .slowest = INT64_MIN});
  EXPECT_GE(of_rank(profile, 0, metric::kMpiWait), 0);
  EXPECT_LE(of_rank(profile, 0, metric::kMpiWait), 100);
  const Profile negative = rank_with(0, {.calls = 3, .time = -5, .quickest = -100});
  EXPECT_EQ(of_rank(negative, 0, metric::kMpiWait), 0);
}

}  // namespace
}  // namespace pyrometer
