// What is written comes back, whole or as a summary, and the file is ordinary SQLite.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "profile/totals.h"
#include "store/edit_file.h"
#include "store/pyro_reader.h"
#include "store/write_profile.h"
#include "support/describe_profile.h"
#include "support/rank_profile.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::describe;
using testing::describe_summary;
using testing::rank_profile;
using testing::run_sql;
using testing::TemporaryFolder;
using testing::write_profile;

// Several ranks in one profile, each with one thread of a class.
Profile job(std::int64_t ranks) {
  ProfileBuilder builder;
  for (std::int64_t rank = 0; rank < ranks; ++rank) builder.add_profile(rank_profile(rank, 1));
  return builder.finish();
}

std::string file_bytes(const Path& path) { return *read_file(path, 1 << 30); }

bool is_empty(const TemporaryFolder& folder) { return std::filesystem::is_empty(folder.path()); }

TEST(PyroFile, EverythingComesBack) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(5), path));
  const auto profile = read_pyro(path, Detail::kEverything);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(describe(*profile), describe(job(5)));
}

TEST(PyroFile, SummaryHasTheTotalsWithoutTheValues) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  Profile original = job(300);
  original.flat_values.clear();
  ASSERT_TRUE(write_profile(std::move(original), path));
  const auto summary = read_pyro(path, Detail::kSummary);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_TRUE(summary->thread_cells.empty());
  const auto values = read_pyro(path, Detail::kValues);
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(describe_summary(*summary), describe_summary(*values));
  EXPECT_EQ(describe_summary(*summary), describe_summary(job(300)));

  // Lines are added up over all processes.
  std::map<std::string, std::int64_t> totals;
  for (const LineValue& line : values->line_values) {
    std::int64_t& total = totals[values->metrics[line.metric.row()].name];
    total = combined(values->metrics[line.metric.row()].combine, total, line.value);
  }
  ASSERT_EQ(summary->line_values.size(), 3U);
  for (const LineValue& line : summary->line_values) {
    EXPECT_EQ(line.value, totals[summary->metrics[line.metric.row()].name]);
  }
}

TEST(PyroFile, SummaryOfAFileWithCallEdgesHasItsValues) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(2), path));
  const auto summary = read_pyro(path, Detail::kSummary);
  ASSERT_TRUE(summary);
  EXPECT_EQ(describe(*summary), describe(job(2)));
}

TEST(PyroFile, FunctionsListedWithZerosStayListed) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  Profile profile = job(1);
  FlatValue zero = profile.flat_values.front();
  zero.callee = FunctionId(0);
  zero.self = zero.total = 0;
  profile.flat_values.push_back(zero);
  const std::size_t count = profile.flat_values.size();
  ASSERT_TRUE(write_profile(std::move(profile), path));
  const auto read = read_pyro(path, Detail::kValues);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->flat_values.size(), count);
  EXPECT_EQ(read->flat_values.back().callee, FunctionId(0));
  EXPECT_EQ(read->flat_values.back().total, 0);
}

TEST(PyroFile, AnEmptyProfileIsAFileToo) {
  const TemporaryFolder folder;
  const Path path = folder / "empty.pyro";
  ASSERT_TRUE(write_profile(Profile(), path));
  for (const Detail detail : {Detail::kSummary, Detail::kEverything}) {
    const auto profile = read_pyro(path, detail);
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_TRUE(profile->nodes.empty());
  }
}

TEST(PyroFile, OneNodeInAThousandProcesses) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ProfileBuilder builder;
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds, Combine::kSum});
  const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 1);
  for (std::int64_t rank = 0; rank < 1000; ++rank) {
    const ProcessId process = builder.add_process({.rank = rank});
    const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("")});
    builder.values(thread).row(node)[wall] = rank == 700 ? 0 : rank + 1;
  }
  ASSERT_TRUE(write_profile(builder.finish(), path));
  EXPECT_EQ(run_sql(path,
                    "SELECT processes, total, minimum, minimum_process, maximum, "
                    "maximum_process FROM statistics"),
            "999|499799|0|700|1000|999");
  EXPECT_EQ(run_sql(path, "SELECT count(*) FROM tile"), "4");
  EXPECT_LT(std::filesystem::file_size(path), 250'000U);
}

TEST(PyroFile, TheSameCallsGiveTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_profile(job(3), folder / "a.pyro"));
  ASSERT_TRUE(write_profile(job(3), folder / "b.pyro"));
  EXPECT_EQ(file_bytes(folder / "a.pyro"), file_bytes(folder / "b.pyro"));
}

TEST(PyroFile, AnyoneCanQueryIt) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(3), path));
  EXPECT_EQ(run_sql(path, "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(run_sql(path, "SELECT value FROM meta WHERE key = 'format'"), "pyrometer");
  EXPECT_EQ(run_sql(path, "SELECT name, unit, combine FROM metric ORDER BY name"),
            "calls|count|sum\npeak|bytes|max\nwall|ns|sum");
  EXPECT_EQ(run_sql(path,
                    "SELECT DISTINCT f.name FROM statistics s "
                    "JOIN edge e ON s.subject = 'edge' AND e.row = s.item "
                    "JOIN function f ON f.row = e.callee WHERE e.part = 'total'"),
            "print");
  EXPECT_EQ(run_sql(path,
                    "SELECT p.rank, t.value FROM process_total t "
                    "JOIN metric m ON m.row = t.metric JOIN process p ON p.row = t.process "
                    "WHERE m.name = 'peak' ORDER BY p.rank"),
            "0|102\n1|139\n2|126");
}

TEST(PyroFile, IsRecognisedByItsFirstBytes) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(1), path));
  const std::string bytes = file_bytes(path);
  EXPECT_TRUE(looks_like_pyro(bytes));
  EXPECT_TRUE(looks_like_pyro(std::string_view(bytes).substr(0, 72)));
  EXPECT_FALSE(looks_like_pyro(std::string_view(bytes).substr(0, 71)));
  EXPECT_FALSE(looks_like_pyro(""));
  run_sql(path, "PRAGMA application_id = 7");
  EXPECT_FALSE(looks_like_pyro(file_bytes(path)));
  EXPECT_EQ(read_pyro(path, Detail::kSummary).error().code, ErrorCode::kCorrupt);
}

TEST(PyroFile, ANewerFormatIsSaidToBeNewer) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(1), path));
  run_sql(path, "PRAGMA user_version = 4");
  const auto profile = read_pyro(path, Detail::kSummary);
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(profile.error().message.find("newer"), std::string::npos);
}

TEST(PyroFile, TablesOfTheUsersOwnDoNotMatter) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_profile(job(2), path));
  run_sql(path,
          "CREATE VIEW hot AS SELECT * FROM statistics; CREATE TABLE mine (a);"
          "CREATE INDEX by_name ON function (name)");
  const auto profile = read_pyro(path, Detail::kEverything);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(describe(*profile), describe(job(2)));
}

TEST(PyroFile, OddNamesAreNoProblem) {
  const TemporaryFolder folder;
  const Path path = folder / "50% done?#&mode=rw \xff.pyro";
  ASSERT_TRUE(write_profile(job(1), path));
  const auto profile = read_pyro(path, Detail::kEverything);
  ASSERT_TRUE(profile) << profile.error().message;
}

TEST(PyroFile, MissingFilesAndFoldersAreNamed) {
  const TemporaryFolder folder;
  const auto missing = read_pyro(folder / "none.pyro", Detail::kSummary);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(read_pyro(folder.path(), Detail::kSummary));
  const auto nowhere = write_profile(job(1), folder / "no/such/job.pyro");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kIo);
  EXPECT_NE(nowhere.error().message.find("job.pyro"), std::string::npos);
  EXPECT_TRUE(is_empty(folder));
}

TEST(PyroFile, AFullDiskLeavesNothingBehind) {
  const TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto written = write_profile(job(5), folder / "job.pyro");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_NE(written.error().message.find("job.pyro'"), std::string::npos)
      << written.error().message;
  EXPECT_TRUE(is_empty(folder));
}

TEST(PyroFile, AnUnfinishedWriterLeavesTheOldFile) {
  const TemporaryFolder folder;
  const Path path = folder / "job.pyro";
  ASSERT_TRUE(write_file(path, "old"));
  {
    const MergedTables tables;
    ASSERT_TRUE(PyroWriter::create(path, tables));
  }
  EXPECT_EQ(file_bytes(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace pyrometer
