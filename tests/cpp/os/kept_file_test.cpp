#include "os/kept_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "os/process_memory.h"

namespace pyrometer {
namespace {

class KeptFileTest : public ::testing::Test {
 protected:
  const std::string path_ = ::testing::TempDir() + "kept_file_test." + std::to_string(getpid());
  std::array<char, 16> buffer_{};

  void TearDown() override { std::filesystem::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }
};

std::vector<int> open_descriptors() {
  std::vector<int> open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    open.push_back(std::atoi(entry.path().filename().c_str()));
  }
  std::sort(open.begin(), open.end());
  return open;
}

TEST_F(KeptFileTest, SaysWhatIsThereNow) {
  write("one");
  KeptFile file(path_);
  EXPECT_EQ(file.read(buffer_), "one");
  write("two and more than there is room for");
  EXPECT_EQ(file.read(buffer_), "two and more th");
}

TEST_F(KeptFileTest, KeepsNoLowNumber) {
  write("one");
  const int lowest = ::open("/dev/null", O_RDONLY);
  ::close(lowest);
  KeptFile file(path_);
  EXPECT_EQ(file.read(buffer_), "one");
  const int next = ::open("/dev/null", O_RDONLY);
  EXPECT_EQ(next, lowest);
  ::close(next);
}

// As a program that closes all it did not open itself, and goes on.
TEST_F(KeptFileTest, IsOpenedAgainWhereItsNumberBelongsToSomebodyElse) {
  write("one");
  const std::vector<int> before = open_descriptors();
  KeptFile file(path_);
  EXPECT_EQ(file.read(buffer_), "one");
  int own = -1;
  for (const int descriptor : open_descriptors()) {
    if (!std::binary_search(before.begin(), before.end(), descriptor)) own = descriptor;
  }
  ASSERT_GE(own, 0);
  const int other = ::open("/dev/zero", O_RDONLY);
  ASSERT_EQ(::dup2(other, own), own);
  ::close(other);
  EXPECT_EQ(file.read(buffer_), "one");
  file.close();
  char zero = 'x';
  EXPECT_EQ(::read(own, &zero, 1), 1);  // it is theirs, and still open
  EXPECT_EQ(zero, '\0');
  ::close(own);
}

TEST_F(KeptFileTest, AMissingFileHasNothingInItUntilItComes) {
  KeptFile file(path_);
  EXPECT_EQ(file.read(buffer_), "");
  write("one");
  EXPECT_EQ(file.read(buffer_), "one");
}

TEST_F(KeptFileTest, FewAreKept) {
  write("one");
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const auto most = std::min<std::size_t>(KeptFile::kMost, limit.rlim_cur / 16);
  const std::size_t before = open_descriptors().size();
  {
    std::vector<KeptFile> files;
    for (int i = 0; i < 2 * KeptFile::kMost; ++i) {
      files.emplace_back(path_);
      EXPECT_EQ(files.back().read(buffer_), "one");
    }
    EXPECT_EQ(open_descriptors().size(), before + most);
    for (KeptFile& file : files) EXPECT_EQ(file.read(buffer_), "one");
    KeptFile moved = std::move(files.front());
    EXPECT_EQ(moved.read(buffer_), "one");
    EXPECT_EQ(open_descriptors().size(), before + most);
  }
  EXPECT_EQ(open_descriptors().size(), before);
}

TEST_F(KeptFileTest, AProgramWithFewDescriptorsKeepsThem) {
  write("one");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::size_t open = open_descriptors().size();
  std::vector<KeptFile> files;
  for (int i = 0; i < 20; ++i) {
    files.emplace_back(path_);
    EXPECT_EQ(files.back().read(buffer_), "one");
  }
  EXPECT_EQ(open_descriptors().size(), open + 4);
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST(ResidentMemory, GrowsWithWhatIsTouched) {
  ResidentMemory resident;
  const std::int64_t before = resident.now();
  EXPECT_GT(before, 0);
  constexpr std::size_t kMuch = 64 << 20;
  const std::vector<char> touched(kMuch, 'x');
  EXPECT_GE(resident.now() - before, std::int64_t{kMuch} * 9 / 10);
  EXPECT_GE(most_resident_memory(), before + std::int64_t{kMuch} * 9 / 10);
}

}  // namespace
}  // namespace pyrometer
