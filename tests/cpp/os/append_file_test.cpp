#include "os/append_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "load/recording.h"
#include "support/small_recording.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::SmallRecording;
using testing::TemporaryFolder;

// Runs `child` in a forked process; returns its pid.
template <class Child>
pid_t fork_and_run(Child child) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    child();
    ::_exit(0);
  }
  return pid;
}

TEST(AppendFile, IsNewAndForItsOwnerOnly) {
  const TemporaryFolder folder;
  const Path path = folder / "raw" / "000" / "r.pyr";
  auto file = AppendFile::create(path).value();
  ASSERT_TRUE(file.append("abc"));
  ASSERT_TRUE(file.append("def"));
  EXPECT_EQ(read_file(path, 100).value(), "abcdef");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_FALSE(AppendFile::create(path));
  EXPECT_EQ(read_file(path, 100).value(), "abcdef");
}

TEST(AppendFile, RefusesAPlantedLink) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder / "victim", folder / "r.pyr");
  EXPECT_FALSE(AppendFile::create(folder / "r.pyr"));
  EXPECT_FALSE(std::filesystem::exists(folder / "victim"));
}

TEST(AppendFile, AFullDiskIsAnErrorAndKeepsTheBeginning) {
  const TemporaryFolder folder;
  const Path path = folder / "r.pyr";
  const std::string whole = SmallRecording().whole();
  const pid_t pid = fork_and_run([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{whole.size() + 100, whole.size() + 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = AppendFile::create(path).value();
    const bool first = file.append(whole).has_value();
    const bool second = file.append(std::string(1000, 'x')).has_value();
    const bool third = file.append("y").has_value();
    ::_exit(first && !second && !third ? 0 : 1);
  });
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  auto reader = RecordingReader::open(path).value();
  EXPECT_EQ(load_recording(reader, Detail::kValues).processes.at(0).status,
            ProcessStatus::kFinished);
}

TEST(AppendFile, WhatWasAppendedSurvivesSigkillAtAnyMoment) {
  std::mt19937 random(1);
  for (int round = 0; round < 10; ++round) {
    const TemporaryFolder folder;
    const Path path = folder / "r.pyr";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t pid = fork_and_run([&] {
      auto file = AppendFile::create(path).value();
      SmallRecording recording;
      recording.definitions();
      for (std::uint32_t batches = 0;; ++batches) {
        recording.sample_batch({SmallRecording::kSolve21, SmallRecording::kLibm});
        if (!file.append(recording.writer.take_pending())) ::_exit(1);
        // Tells the parent how many batches the kernel has.
        if (::write(ready[1], &batches, sizeof batches) != sizeof batches) ::_exit(1);
      }
    });
    std::uint32_t acknowledged = 0;
    const std::uint32_t wanted = 1 + static_cast<std::uint32_t>(random() % 200);
    while (acknowledged + 1 < wanted) {
      ASSERT_EQ(::read(ready[0], &acknowledged, sizeof acknowledged),
                static_cast<ssize_t>(sizeof acknowledged));
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    auto reader = RecordingReader::open(path).value();
    const Profile profile = load_recording(reader, Detail::kEverything);
    EXPECT_GE(profile.samples.at(0).size(), 2 * std::uint64_t{wanted});
    const ProcessStatus status = profile.processes.at(0).status;
    EXPECT_TRUE(status == ProcessStatus::kKilled || status == ProcessStatus::kTruncated);
  }
}

TEST(AppendFile, SurvivesAProgramThatClosesAllDescriptors) {
  const TemporaryFolder folder;
  const Path path = folder / "r.pyr";
  const pid_t pid = fork_and_run([&] {
    auto file = AppendFile::create(path).value();
    const bool before = file.append("abc").has_value();
    ::close_range(3, ~0U, 0);
    const bool after = file.append("def").has_value();
    ::_exit(before && after ? 0 : 1);
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path, 100).value(), "abcdef");
}

TEST(AppendFile, DoesNotWriteToAFileThatTookItsPlace) {
  const TemporaryFolder folder;
  const Path path = folder / "r.pyr";
  const pid_t pid = fork_and_run([&] {
    auto file = AppendFile::create(path).value();
    ::close_range(3, ~0U, 0);
    std::filesystem::rename(path, folder / "elsewhere");
    if (!create_file(path, "not ours")) ::_exit(2);
    ::_exit(file.append("def") ? 1 : 0);
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(path, 100).value(), "not ours");
}

}  // namespace
}  // namespace pyrometer
