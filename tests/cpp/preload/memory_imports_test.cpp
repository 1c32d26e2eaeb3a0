// The library before malloc, loaded into a program that runs: this one.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "os/memory_table.h"

// NOLINTBEGIN(cppcoreguidelines-no-malloc): these are tests of malloc.

namespace {

constexpr std::size_t kSize = 300'000;

struct Freed {
  void operator()(void* block) const { std::free(block); }
};
using Block = std::unique_ptr<void, Freed>;

std::int64_t told_of = 0;
constexpr pyrometer_memory_agent kAgent = {
    .version = PYROMETER_MEMORY_VERSION,
    .size = sizeof(pyrometer_memory_agent),
    .block_came =
        [](const void*, std::size_t size, pyrometer_block_kind, const void*) {
          told_of += static_cast<std::int64_t>(size);
          return std::int64_t{0};  // the next one, too
        },
    .block_goes = [](const void*) {},
    .mapping_came = [](const void*, std::size_t, const void*) {},
    .mapping_goes = [](const void*, std::size_t) { return std::int64_t{0}; },
    .heap_peak = [](std::int64_t) {}};

// Of each page that is mapped from a file: what may be done with it.
std::map<std::uintptr_t, std::string> protections() {
  constexpr std::uintptr_t kPage = 4096;
  std::map<std::uintptr_t, std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find('/') == std::string::npos) continue;
    std::istringstream words(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string may;
    words >> std::hex >> begin >> dash >> end >> may;
    for (std::uintptr_t page = begin; page < end; page += kPage) found[page] = may;
  }
  return found;
}

class MemoryImports : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    void* library = dlopen(PYROMETER_MEMORY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    memory = static_cast<const pyrometer_memory_table*>(dlsym(library, PYROMETER_MEMORY_SYMBOL));
    ASSERT_NE(memory, nullptr);
  }
  void TearDown() override {
    memory->agent_came(nullptr);
    memory->leave_imports();
  }

  static void begin() {
    memory->stand_before_imports(reinterpret_cast<const void*>(memory->agent_came));
    memory->agent_came(&kAgent);
  }
  static std::int64_t allocated() { return memory->own_thread()->allocated; }
  static std::int64_t live() { return memory->own_thread()->live; }

  static inline const pyrometer_memory_table* memory = nullptr;
};

TEST_F(MemoryImports, LeadToUsAndBack) {
  for (int round = 0; round < 3; ++round) {
    const std::int64_t before = allocated();
    const Block unseen(std::malloc(kSize));
    EXPECT_EQ(allocated(), before);
    begin();
    const Block seen(std::malloc(kSize));
    EXPECT_GE(allocated(), before + static_cast<std::int64_t>(kSize));
    memory->leave_imports();
    const std::int64_t after = allocated();
    const Block unseen_again(std::calloc(1, kSize));
    EXPECT_EQ(allocated(), after);
  }
}

TEST_F(MemoryImports, OnlyWhatWasSeenToComeCountsWhenItGoes) {
  Block old(std::malloc(kSize));
  Block grown(std::malloc(kSize));
  begin();
  const std::int64_t before = live();
  old.reset();
  EXPECT_EQ(live(), before);
  grown.reset(std::realloc(grown.release(), 2 * kSize));
  EXPECT_GE(live(), before + static_cast<std::int64_t>(2 * kSize));
  grown.reset();
  EXPECT_EQ(live(), before);
}

TEST_F(MemoryImports, EachCountBeginsAtZero) {
  for (int round = 0; round < 3; ++round) {
    begin();
    EXPECT_EQ(memory->heap(), 0);
    void* volatile left = std::malloc(kSize);  // or the compiler does without it
    EXPECT_GE(memory->heap(), static_cast<std::int64_t>(kSize));
    memory->leave_imports();
    std::free(left);
  }
}

TEST_F(MemoryImports, EveryThreadBeginsAnew) {
  begin();
  told_of = 0;
  void* left = nullptr;
  std::thread([&] { left = std::malloc(kSize); }).join();
  EXPECT_GE(told_of, static_cast<std::int64_t>(kSize));
  constexpr std::int64_t kOfTheThreadItself = 1000;  // which it frees
  EXPECT_GE(memory->heap(), static_cast<std::int64_t>(kSize) - kOfTheThreadItself);
  std::free(left);
}

TEST_F(MemoryImports, PagesStayAsProtectedAsTheyWere) {
  begin();
  memory->leave_imports();
  const auto before = protections();
  begin();
  EXPECT_EQ(protections(), before);
  memory->leave_imports();
  EXPECT_EQ(protections(), before);
}

}  // namespace
// NOLINTEND(cppcoreguidelines-no-malloc)
