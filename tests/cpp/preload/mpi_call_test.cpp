// The preload library before an MPI library that mpi4py would have loaded for itself alone.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "collect/agent_table.h"
#include "preload/fake/fake_mpi.h"

namespace {

using Slot = std::intptr_t;
constexpr Slot kDouble = 0x4c00080b;
constexpr Slot kNoDatatype = 0x0c000000;
constexpr Slot kWorld = 0x44000000;
constexpr Slot kNoCommunicator = 0x04000000;
constexpr Slot kIntercommunicator = 0x55;
constexpr Slot kInPlace = -1;

struct Told {
  std::string function;
  std::uint64_t bytes = 0;
  std::uint32_t communicator = 0;
  bool has_ended = false;
  friend bool operator==(const Told&, const Told&) = default;
};
std::vector<Told> told;
std::map<std::string, std::string> attributes;
std::vector<int> aborts;
const pyrometer_preload_table* preload = nullptr;

void note_begin(std::uint32_t function, std::uint64_t bytes, std::uint32_t communicator) {
  told.push_back({preload->mpi_functions[function], bytes, communicator});
}
void note_end() { told.back().has_ended = true; }
void note_attribute(const char* key, const char* value) { attributes[key] = value; }
void note_abort(int code) { aborts.push_back(code); }
int is_recording() { return 1; }

constexpr pyrometer_agent_table kAgent = {PYROMETER_TABLE_VERSION,
                                          sizeof(pyrometer_agent_table),
                                          &is_recording,
                                          [](const char*) {},
                                          &note_attribute,
                                          &note_begin,
                                          &note_end,
                                          &note_abort};

class MpiCall : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    fake = dlopen(PYROMETER_FAKE_MPI, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(fake, nullptr) << dlerror();
    library = dlopen(PYROMETER_PRELOAD, RTLD_NOW | RTLD_GLOBAL);
    ASSERT_NE(library, nullptr) << dlerror();
    preload = static_cast<const pyrometer_preload_table*>(dlsym(library, PYROMETER_PRELOAD_SYMBOL));
    ASSERT_NE(preload, nullptr);
    preload->agent_came(&kAgent);
  }
  void SetUp() override {
    told.clear();
    attributes.clear();
    aborts.clear();
    fake_calls() = {};
  }

  static FakeCalls& fake_calls() {
    return *reinterpret_cast<FakeCalls* (*)()>(dlsym(fake, "fake_calls"))();
  }
  static std::vector<Slot> received(std::size_t count) {
    return {fake_calls().slots, fake_calls().slots + count};
  }
  template <class... Slots>
  static Slot call(const char* name, Slots... slots) {
    auto* function = reinterpret_cast<Slot (*)(Slots...)>(dlsym(library, name));
    EXPECT_NE(function, nullptr) << name;
    return function(slots...);
  }
  static Slot at(const int& number) { return reinterpret_cast<Slot>(&number); }

  static inline void* fake = nullptr;
  static inline void* library = nullptr;
};

Told whole(const char* function, std::uint64_t bytes, std::uint32_t communicator) {
  return {function, bytes, communicator, true};
}

TEST_F(MpiCall, TwelveArgumentsArriveAsTheyWere) {
  EXPECT_EQ(call("MPI_Sendrecv", Slot{11}, Slot{5}, kDouble, Slot{14}, Slot{15}, Slot{16}, Slot{17},
                 Slot{18}, Slot{19}, Slot{20}, kWorld, Slot{22}),
            0);
  EXPECT_STREQ(fake_calls().name, "Sendrecv");
  EXPECT_EQ(received(12),
            (std::vector<Slot>{11, 5, kDouble, 14, 15, 16, 17, 18, 19, 20, kWorld, 22}));
  EXPECT_EQ(told, std::vector{whole("MPI_Sendrecv", 40, 4)});
}

TEST_F(MpiCall, OnlyTheLowHalfOfAnIntCounts) {
  constexpr Slot kGarbage = Slot{0x7ffffff7} << 32U;
  call("MPI_Send", Slot{0}, kGarbage | 3, kGarbage | kDouble, Slot{1}, Slot{0}, kGarbage | kWorld);
  call("MPI_Send", Slot{0}, kGarbage | 3, kGarbage | kNoDatatype, Slot{1}, Slot{0},
       kGarbage | kNoCommunicator);
  EXPECT_EQ(told, (std::vector{whole("MPI_Send", 24, 4), whole("MPI_Send", 0, 0)}));
}

TEST_F(MpiCall, InPlaceTheOtherSideCounts) {
  call("MPI_Scatter", Slot{64}, Slot{3}, kDouble, kInPlace, Slot{0}, kNoDatatype, Slot{0}, kWorld);
  call("MPI_Scatter", Slot{0}, Slot{0}, kNoDatatype, Slot{64}, Slot{2}, kDouble, Slot{0}, kWorld);
  EXPECT_EQ(told, (std::vector{whole("MPI_Scatter", 24, 4), whole("MPI_Scatter", 16, 4)}));
}

TEST_F(MpiCall, WhoTakesNoPartHandsNothingOver) {
  constexpr Slot kNoRank = -1;
  call("MPI_Bcast", Slot{0}, Slot{7}, Slot{12345}, kNoRank, kIntercommunicator);
  EXPECT_EQ(told, std::vector{whole("MPI_Bcast", 0, 4)});
}

TEST_F(MpiCall, CountsOfAllRanksAreAdded) {
  const int counts[] = {1, 2, 3, 4, 1000};
  const auto all = reinterpret_cast<Slot>(counts);
  call("MPI_Alltoallv", Slot{64}, all, Slot{0}, kDouble, Slot{64}, all, Slot{0}, kDouble, kWorld);
  call("MPI_Alltoallv", Slot{64}, all, Slot{0}, kDouble, Slot{64}, all, Slot{0}, kDouble,
       kIntercommunicator);
  EXPECT_EQ(told, (std::vector{whole("MPI_Alltoallv", 80, 4), whole("MPI_Alltoallv", 24, 4)}));
}

TEST_F(MpiCall, NestedCallsCountOnce) {
  call("MPI_Barrier", kWorld);
  EXPECT_EQ(fake_calls().count, 2);  // the library itself sent something through us
  EXPECT_EQ(told, std::vector{whole("MPI_Barrier", 0, 4)});
  call("MPI_Wait", Slot{64}, Slot{0});
  EXPECT_EQ(told.back(), whole("MPI_Wait", 0, 0));
}

TEST_F(MpiCall, FortranArgumentsAreAddresses) {
  const int count = 6;
  const int datatype = kDouble;
  const int communicator = kWorld;
  int error = -1;
  call("mpi_sendrecv__", Slot{11}, at(count), at(datatype), Slot{14}, Slot{15}, Slot{16}, Slot{17},
       Slot{18}, Slot{19}, Slot{20}, at(communicator), Slot{22}, at(error));
  EXPECT_STREQ(fake_calls().name, "sendrecv_");
  EXPECT_EQ(received(13).back(), at(error));
  EXPECT_EQ(told, std::vector{whole("MPI_Sendrecv", 48, 4)});
}

TEST_F(MpiCall, FortranHasItsOwnPlace) {
  const int nothing = 0;
  const int no_datatype = kNoDatatype;
  const int count = 2;
  const int datatype = kDouble;
  const int communicator = kWorld;
  const auto in_place = reinterpret_cast<Slot>(dlsym(fake, "in_place_of_fortran"));
  call("mpi_allgather_", in_place, at(nothing), at(no_datatype), Slot{64}, at(count), at(datatype),
       at(communicator), Slot{0});
  EXPECT_EQ(told, std::vector{whole("MPI_Allgather", 16, 4)});
}

TEST_F(MpiCall, PlainNamesServeWhereThereIsNoProfilingInterface) {
  EXPECT_EQ(call("MPI_Ssend", Slot{0}, Slot{1}, kDouble, Slot{0}, Slot{0}, kWorld), 0);
  EXPECT_STREQ(fake_calls().name, "Ssend");
  EXPECT_EQ(told, std::vector{whole("MPI_Ssend", 8, 4)});
}

TEST_F(MpiCall, AMissingFunctionIsAnError) {
  EXPECT_NE(call("MPI_Rsend", Slot{0}, Slot{1}, kDouble, Slot{0}, Slot{0}, kWorld), 0);
  EXPECT_EQ(fake_calls().count, 0);
  EXPECT_TRUE(told.empty());
}

TEST_F(MpiCall, FunctionsThatNotAllLibrariesHaveAreNotOurs) {
  EXPECT_EQ(dlsym(library, "MPI_Send_c"), nullptr);
  EXPECT_EQ(dlsym(library, "MPI_Session_init"), nullptr);
  EXPECT_NE(dlsym(library, "MPI_Send"), nullptr);
}

TEST_F(MpiCall, MpiSaysWhoItIs) {
  call("MPI_Init", Slot{0}, Slot{0});
  EXPECT_EQ(attributes, (std::map<std::string, std::string>{{"mpi.library", "Fake MPI 1.0"},
                                                            {"mpi.thread-level", "multiple"},
                                                            {"mpi.rank", "3"},
                                                            {"mpi.size", "4"}}));
}

TEST_F(MpiCall, AbortIsToldBeforeItHappens) {
  call("MPI_Abort", kWorld, Slot{7});
  EXPECT_EQ(aborts, std::vector{7});
  EXPECT_STREQ(fake_calls().name, "Abort");
}

}  // namespace
