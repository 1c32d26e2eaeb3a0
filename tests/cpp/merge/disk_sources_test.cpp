// Which source files a merged file takes along.
#include "merge/disk_sources.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "base/file.h"
#include "profile/builder.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::TemporaryFolder;

// Files are written before a process begins, whose functions they are.
class DiskSourcesTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(packages_); }

  static std::int64_t now() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  }

  // A function in that file, which took `value`; the file gets `text`, if there is one.
  void function(const Path& file, std::int64_t value, const std::string& text = "x = 1\n") {
    if (!text.empty()) {
      ASSERT_TRUE(write_file(file, text));
    }
    functions_.emplace_back(file.string(), value);
  }

  static Process process_since(std::int64_t start) {
    Process process;
    process.start = start;
    return process;
  }

  Profile profile(std::int64_t start) {
    ProfileBuilder builder;
    const ProcessId process = builder.add_process(process_since(start));
    const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("m")});
    const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
    for (const auto& [file, value] : functions_) {
      const FunctionId function = builder.function(
          {.name = "f", .qualified_name = "f", .file = file, .short_file = file, .first_line = 1});
      const NodeId node = builder.node(NodeId::none(), function, 1);
      builder.values(thread).row(node)[wall] += value;
    }
    return builder.finish();
  }

  static std::set<std::string> names(const Profile& profile) {
    std::set<std::string> names;
    for (const auto& [file, source] : profile.sources) {
      names.insert(Path(profile.text(file)).filename().string());
    }
    return names;
  }

  std::set<std::string> taken(std::int64_t start) {
    Profile each = profile(start);
    DiskSources().add_to(each);
    return names(each);
  }

  TemporaryFolder folder_;
  Path packages_ = folder_ / "lib/python3.11/site-packages/fast";
  std::vector<std::pair<std::string, std::int64_t>> functions_;
};

TEST_F(DiskSourcesTest, OwnFilesAlwaysAndLibrariesWhereTheyAreHot) {
  function(folder_ / "main.py", 0);
  function(folder_ / "solve.py", 900);
  function(packages_ / "hot.py", 95);
  function(packages_ / "cold.py", 5);
  EXPECT_EQ(taken(now()), (std::set<std::string>{"hot.py", "main.py", "solve.py"}));
}

TEST_F(DiskSourcesTest, TheTextIsThatOfTheFile) {
  function(folder_ / "solve.py", 1, "a = 1\nb = 2\n");
  Profile own = profile(now());
  DiskSources().add_to(own);
  ASSERT_EQ(own.sources.size(), 1U);
  EXPECT_FALSE(own.sources.begin()->second.is_hash);
  EXPECT_EQ(own.sources.begin()->second.content, "a = 1\nb = 2\n");
}

TEST_F(DiskSourcesTest, WhatWasChangedAfterTheRunDidNotRun) {
  function(folder_ / "solve.py", 1);
  EXPECT_EQ(taken(now() - 3'600'000'000'000), std::set<std::string>());
  EXPECT_EQ(taken(0), std::set<std::string>()) << "when it began is not known";
}

TEST_F(DiskSourcesTest, WhatIsNoSourceIsNotOpened) {
  function(folder_ / "secret.txt", 1);
  function(folder_ / "gone.py", 1, "");
  function("relative.py", 1, "");
  function("<string>", 1, "");
  EXPECT_EQ(taken(now()), std::set<std::string>());
}

TEST_F(DiskSourcesTest, ATextThatWasRecordedStays) {
  function(folder_ / "solve.py", 1, "on the disk\n");
  Profile own = profile(now());
  const StringId file = own.functions[0].file;
  own.sources[file] = {.is_hash = false, .content = "as it ran\n"};
  DiskSources().add_to(own);
  EXPECT_EQ(own.sources[file].content, "as it ran\n");
}

TEST_F(DiskSourcesTest, AFileOfWhichOnlyTheContentIdIsKnownMayBeAnotherOne) {
  function(folder_ / "solve.py", 1, "on the disk\n");
  Profile own = profile(now());
  const StringId file = own.functions[0].file;
  own.sources[file] = {.is_hash = true, .content = "id"};
  DiskSources().add_to(own);
  EXPECT_TRUE(own.sources[file].is_hash);
}

TEST_F(DiskSourcesTest, EachFileOnceForAllProcesses) {
  function(folder_ / "solve.py", 1);
  DiskSources sources;
  Profile first = profile(now());
  Profile second = profile(now());
  sources.add_to(first);
  sources.add_to(second);
  EXPECT_EQ(names(first), std::set<std::string>{"solve.py"});
  EXPECT_EQ(names(second), std::set<std::string>()) << "the merged file has it from the first";
}

TEST_F(DiskSourcesTest, OneProcessTakesFourMegabytesAtMost) {
  const std::string large(3U << 20, '\n');
  function(folder_ / "hot.py", 10, large);
  function(folder_ / "warm.py", 5, large);
  function(folder_ / "small.py", 1);
  EXPECT_EQ(taken(now()), (std::set<std::string>{"hot.py", "small.py"}));
}

}  // namespace
}  // namespace pyrometer
