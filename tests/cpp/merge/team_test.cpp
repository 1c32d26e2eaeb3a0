// Several members merge one job: whoever they are, the same bytes come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "merge/merge.h"
#include "merge/write_merged.h"
#include "record/run_directory.h"
#include "store/pyro_reader.h"
#include "support/parallel_profile.h"
#include "support/rank_profile.h"
#include "support/temporary_folder.h"
#include "synthetic_recording.h"

namespace pyrometer {
namespace {

using testing::TemporaryFolder;

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

// Messages between threads that stand for processes.
class Mail {
 public:
  void put(std::uint32_t from, std::uint32_t to, std::string bytes) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].push_back(std::move(bytes));
    arrived_.notify_all();
  }
  std::string take(std::uint32_t from, std::uint32_t to) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    arrived_.wait(lock, [&] { return !box.empty(); });
    std::string bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }
  bool is_empty() const {
    return std::all_of(boxes_.begin(), boxes_.end(),
                       [](const auto& box) { return box.second.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::string>> boxes_;
};

class ThreadTeam : public Team {
 public:
  ThreadTeam(Mail& mail, std::uint32_t member, std::uint32_t size)
      : mail_(mail), member_(member), size_(size) {}
  std::uint32_t member() const override { return member_; }
  std::uint32_t size() const override { return size_; }
  void send(std::uint32_t to, std::string_view bytes) override {
    mail_.put(member_, to, std::string(bytes));
  }
  std::string receive(std::uint32_t from) override { return mail_.take(from, member_); }

 private:
  Mail& mail_;
  std::uint32_t member_, size_;
};

// Calls work(team) in each member; every message must have been read in the end.
template <class Work>
void run_team(std::uint32_t size, Work work) {
  Mail mail;
  std::vector<std::thread> threads;
  for (std::uint32_t member = 0; member < size; ++member) {
    threads.emplace_back([&mail, member, size, work] {
      ThreadTeam team(mail, member, size);
      work(team);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(mail.is_empty());
}

// Which processes were seen, whoever saw them.
class Census : public MergeAnalysis {
 public:
  std::string_view key() const override { return "census"; }
  void begin(const Profile& job) override { seen_.assign(job.processes.size(), '0'); }
  void add(ProcessId process, const ThreadCells& cells) override {
    const auto filled = std::count_if(cells.begin(), cells.end(),
                                      [](const std::vector<Cell>& list) { return !list.empty(); });
    seen_[process.row()] = static_cast<char>(seen_[process.row()] + filled);
  }
  std::string partial() const override { return seen_; }
  Result<void> absorb(std::string_view partial) override {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      seen_[i] = static_cast<char>(seen_[i] + partial[i] - '0');
    }
    return {};
  }
  std::string finish() override { return seen_; }

 private:
  std::string seen_;
};

TEST(Team, EveryMemberHearsWhatTheFirstOneSays) {
  for (std::uint32_t size = 1; size <= 9; ++size) {
    run_team(size, [size](Team& team) {
      const auto all = gather(team, std::to_string(team.member()));
      EXPECT_EQ(all.size(), team.is_first() ? size : 0);
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], std::to_string(i));
      EXPECT_EQ(broadcast(team, team.is_first() ? "hello" : "never heard"), "hello");
      EXPECT_TRUE(agree(team, {}));
      Result<void> mine;
      if (team.member() + 1 == size) mine = fail(ErrorCode::kIo, "the disk is full");
      const auto agreed = agree(team, mine);
      ASSERT_FALSE(agreed);
      EXPECT_EQ(agreed.error().code, ErrorCode::kIo);
      EXPECT_EQ(agreed.error().message, "the disk is full");
    });
  }
}

TEST(Team, AnyNumberOfMembersWritesTheSameBytes) {
  const TemporaryFolder folder;
  constexpr std::int64_t kRanks = 600;  // three panels
  std::string expected;
  for (std::uint32_t size = 1; size <= 5; ++size) {
    const Path output = folder / "job.pyro";
    run_team(size, [&](Team& team) {
      std::vector<Shard> shards;
      // Little memory: some of what is handed over goes through files.
      for (int i = 0; i < 2; ++i) shards.emplace_back(output, 50'000);
      for (std::int64_t rank = team.member(); rank < kRanks; rank += size) {
        auto& shard = shards[static_cast<std::size_t>(rank / 7 % 2)];
        ASSERT_TRUE(shard.add(rank % 50 == 0 ? testing::parallel_profile(rank, 1)
                                             : testing::rank_profile(rank)));
      }
      Census census;
      MergeAnalysis* const analyses[] = {&census};
      const auto counts = write_merged(shards, output, {.analyses = analyses}, team);
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_EQ(counts->processes, static_cast<std::uint64_t>(kRanks));
    });
    const std::string bytes = file_bytes(output);
    if (expected.empty()) expected = bytes;
    EXPECT_TRUE(bytes == expected) << size;
  }
  const auto reader = PyroReader::open(folder / "job.pyro");
  ASSERT_TRUE(reader);
  const auto census = reader->read_analysis("census");
  ASSERT_TRUE(census && *census);
  EXPECT_EQ((*census)->size(), static_cast<std::size_t>(kRanks));
  EXPECT_EQ((*census)->find('0'), std::string::npos);
}

class TeamOnARun : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(join_run_directory(run_, {.launch = "test:1", .size = 20}, true));
    for (std::int32_t rank = 0; rank < 20; ++rank) {
      const Path path = recording_path(run_, {.rank = rank, .pid = 7, .host = "node"}, 1);
      std::filesystem::create_directories(path.parent_path());
      ASSERT_TRUE(write_file(
          path,
          synthetic_recording({.nodes = 100, .samples = 30, .rank = rank, .world_size = 20})));
      recordings_.push_back(path);
    }
  }

  // By member.
  std::vector<Result<MergeSummary>> merge(const std::vector<Path>& names, const Path& output,
                                          std::uint32_t size) {
    std::vector<Result<MergeSummary>> results(size);
    run_team(size, [&](Team& team) {
      results[team.member()] = merge_files(names, output, {.team = &team, .workers = 1});
    });
    return results;
  }

  TemporaryFolder folder_;
  Path run_ = folder_ / "run";
  Path output_ = folder_ / "job.pyro";
  std::vector<Path> recordings_;
};

TEST_F(TeamOnARun, MergesLikeOneProcess) {
  const Path alone = folder_ / "alone.pyro";
  ASSERT_TRUE(write_file(recordings_[11], "this is no recording"));
  const auto expected = merge_files(std::span(&run_, 1), alone, {});
  ASSERT_TRUE(expected) << expected.error().message;
  for (const std::uint32_t size : {2U, 3U, 25U}) {
    for (const auto& result : merge({run_}, output_, size)) {
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->files, 19U);
      EXPECT_EQ(result->left_out, expected->left_out);
      EXPECT_EQ(result->bytes, expected->bytes);
    }
    EXPECT_TRUE(file_bytes(output_) == file_bytes(alone)) << size;
  }
}

TEST_F(TeamOnARun, AnErrorOfOneIsTheErrorOfAll) {
  const Path broken = folder_ / "broken.pyr";
  ASSERT_TRUE(write_file(broken, "this is no recording"));
  for (const auto& [names, output] :
       {std::pair(std::vector<Path>{run_, broken}, output_),
        std::pair(std::vector<Path>{folder_ / "missing"}, output_),
        std::pair(std::vector<Path>{run_}, folder_ / "none/job.pyro")}) {
    const auto results = merge(names, output, 3);
    for (const auto& result : results) {
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().message, results[0].error().message);
    }
    EXPECT_FALSE(std::filesystem::exists(output));
  }
}

}  // namespace
}  // namespace pyrometer
