// The library before memcpy: what it copies, and which copies it tells the agent of.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "os/copies_table.h"

namespace {

using Copy = void* (*)(void*, const void*, std::size_t);
using CheckedCopy = void* (*)(void*, const void*, std::size_t, std::size_t);

constexpr std::size_t kBig = PYROMETER_BIG_COPY;

std::vector<std::size_t> told;
const void* last_caller = nullptr;
std::int64_t next_sample = 1;
Copy copied_inside = nullptr;

std::int64_t note_copy(std::size_t bytes, const void* caller) {
  told.push_back(bytes);
  last_caller = caller;
  if (copied_inside != nullptr) {
    std::vector<char> from(kBig), to(kBig);
    copied_inside(to.data(), from.data(), kBig);
  }
  errno = EBADF;
  return next_sample;
}

constexpr pyrometer_copies_agent kAgent = {PYROMETER_COPIES_VERSION, sizeof(pyrometer_copies_agent),
                                           &note_copy};

class Copies : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    library = dlopen(PYROMETER_COPIES, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    table = static_cast<const pyrometer_copies_table*>(dlsym(library, PYROMETER_COPIES_SYMBOL));
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(table->version, PYROMETER_COPIES_VERSION);
    ASSERT_EQ(table->size, sizeof(*table));
  }
  void SetUp() override {
    told.clear();
    next_sample = 1;
    copied_inside = nullptr;
    table->agent_came(&kAgent);
  }
  void TearDown() override { table->agent_came(nullptr); }

  template <class Function>
  static Function find(const char* name) {
    auto* found = reinterpret_cast<Function>(dlsym(library, name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  static Copy find_copy(const char* name) { return find<Copy>(name); }

  static void* library;
  static const pyrometer_copies_table* table;
};
void* Copies::library = nullptr;
const pyrometer_copies_table* Copies::table = nullptr;

std::vector<char> numbered(std::size_t size) {
  std::vector<char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), '\0');
  return bytes;
}

TEST_F(Copies, AreWhatTheCLibraryMakes) {
  for (const std::size_t size : {0UL, 1UL, 100UL, 5'000'000UL}) {
    const std::vector<char> from = numbered(size);
    for (const char* name : {"memcpy", "memmove", "mempcpy"}) {
      std::vector<char> to(size);
      void* end = find_copy(name)(to.data(), from.data(), size);
      EXPECT_EQ(to, from) << name;
      EXPECT_EQ(end, name == std::string("mempcpy") ? to.data() + size : to.data());
    }
    for (const char* name : {"__memcpy_chk", "__memmove_chk", "__mempcpy_chk"}) {
      std::vector<char> to(size);
      find<CheckedCopy>(name)(to.data(), from.data(), size, size);
      EXPECT_EQ(to, from) << name;
    }
  }
}

// memcpy, too: programs that are older than its ban on overlaps rely on it.
TEST_F(Copies, MayOverlap) {
  for (const char* name : {"memcpy", "memmove"}) {
    const std::vector<char> before = numbered(10'000);
    std::vector<char> up = before, down = before;
    find_copy(name)(up.data() + 3, up.data(), 9'000);
    find_copy(name)(down.data(), down.data() + 3, 9'000);
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 9'000, up.begin() + 3)) << name;
    EXPECT_TRUE(std::equal(before.begin() + 3, before.begin() + 9'003, down.begin())) << name;
  }
}

TEST_F(Copies, BigOnesAreToldOfOneByOne) {
  const Copy copy = find_copy("memcpy");
  std::vector<char> from(2 * kBig), to(2 * kBig);
  next_sample = INT64_MAX;
  copy(to.data(), from.data(), 1);  // asks when the next sample is
  told.clear();
  for (const std::size_t size : {kBig, 2 * kBig, kBig - 1, kBig}) {
    copy(to.data(), from.data(), size);
  }
  EXPECT_EQ(told, (std::vector<std::size_t>{kBig, 2 * kBig, kBig}));
  Dl_info caller;
  ASSERT_NE(dladdr(last_caller, &caller), 0);
  Dl_info test;
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&note_copy), &test), 0);
  EXPECT_EQ(caller.dli_fbase, test.dli_fbase);
}

TEST_F(Copies, SmallOnesAfterAsManyBytesAsTheAgentSays) {
  const Copy copy = find_copy("memmove");
  std::vector<char> from(1'000), to(1'000);
  next_sample = 10'000;
  for (int i = 0; i < 31; ++i) copy(to.data(), from.data(), 1'000);
  EXPECT_EQ(told.size(), 4U);  // the first one asks
}

TEST_F(Copies, EachThreadCountsItsOwn) {
  const Copy copy = find_copy("memcpy");
  next_sample = 1'500;
  const auto work = [&] {
    char from[1'000] = {}, to[1'000];
    for (int i = 0; i < 3; ++i) copy(to, from, sizeof(from));
  };
  work();
  const std::size_t of_this_thread = told.size();
  std::thread(work).join();
  EXPECT_EQ(told.size(), 2 * of_this_thread);
}

TEST_F(Copies, OfTheAgentAreNotToldOf) {
  const Copy copy = find_copy("memcpy");
  std::vector<char> from(kBig), to(kBig);
  copied_inside = copy;
  copy(to.data(), from.data(), kBig);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(Copies, KeepErrno) {
  std::vector<char> from(kBig), to(kBig);
  errno = ENOENT;
  find_copy("memcpy")(to.data(), from.data(), kBig);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(Copies, WithoutAnAgentTheyAreOnlyMade) {
  table->agent_came(nullptr);
  const std::vector<char> from = numbered(kBig);
  std::vector<char> to(kBig);
  find_copy("memcpy")(to.data(), from.data(), kBig);
  EXPECT_EQ(to, from);
  constexpr pyrometer_copies_agent kSmaller = {PYROMETER_COPIES_VERSION, 4, &note_copy};
  table->agent_came(&kSmaller);
  find_copy("memcpy")(to.data(), from.data(), kBig);
  EXPECT_TRUE(told.empty());
}

TEST_F(Copies, OfMoreThanThereIsRoomForEndTheProgram) {
  char from[8] = {}, to[8];
  for (const char* name : {"__memcpy_chk", "__memmove_chk", "__mempcpy_chk"}) {
    EXPECT_DEATH(find<CheckedCopy>(name)(to, from, 8, 7), "buffer overflow detected") << name;
  }
}

}  // namespace
