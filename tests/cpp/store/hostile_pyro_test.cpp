// Files that were cut, damaged or made to hurt: an error or a profile, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "base/compression.h"
#include "store/edit_file.h"
#include "store/pyro_reader.h"
#include "store/write_profile.h"
#include "support/rank_profile.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using testing::run_sql;
using testing::TemporaryFolder;

// One merged file, and what becomes of it.
class HostilePyro : public ::testing::Test {
 protected:
  void SetUp() override {
    ProfileBuilder builder;
    for (const std::int64_t rank : {0, 1, 2}) builder.add_profile(testing::rank_profile(rank, 1));
    ASSERT_TRUE(testing::write_profile(builder.finish(), good_));
    bytes_ = *read_file(good_, 1 << 24);
  }

  // The error after `sql` has changed the file.
  std::string error_after(const std::string& sql) {
    const Path path = folder_ / "bad.pyro";
    EXPECT_TRUE(write_file(path, bytes_));
    run_sql(path, sql);
    const auto profile = read_pyro(path, Detail::kEverything);
    if (profile) return "";
    const ErrorCode code = profile.error().code;
    EXPECT_TRUE(code == ErrorCode::kCorrupt || code == ErrorCode::kTooLarge);
    return profile.error().message;
  }

  void expect_no_crash(const std::string& bytes) {
    const Path path = folder_ / "bad.pyro";
    ASSERT_TRUE(write_file(path, bytes));
    for (const Detail detail : {Detail::kSummary, Detail::kEverything}) {
      const auto profile = read_pyro(path, detail);
      EXPECT_TRUE(profile || !profile.error().message.empty());
    }
  }

  TemporaryFolder folder_;
  Path good_ = folder_ / "good.pyro";
  std::string bytes_;
};

TEST_F(HostilePyro, EveryRowIsChecked) {
  EXPECT_EQ(error_after("SELECT 1"), "");
  for (const char* sql : {
           "UPDATE metric SET row = row + 10",
           "UPDATE metric SET unit = 'miles' WHERE row = 0",
           "UPDATE metric SET combine = 7 WHERE row = 0",
           "UPDATE metric SET name = 'same'",
           "UPDATE module SET row = 5",
           "UPDATE function SET module = 99 WHERE row = 1",
           "UPDATE function SET module = -1 WHERE row = 1",
           "UPDATE function SET kind = 'witch' WHERE row = 1",
           "UPDATE function SET name = x'07' WHERE row = 1",
           "UPDATE function SET first_line = 5000000000 WHERE row = 1",
           "UPDATE function SET first_line = 3 WHERE row = 1",
           "UPDATE function SET id = zeroblob(16) WHERE row = 1",
           "UPDATE function SET id = 'text' WHERE row = 1",
           "DELETE FROM function WHERE row = 0",
           "UPDATE node SET parent = row WHERE row = 2",
           "UPDATE node SET parent = row + 1 WHERE row = 2",
           "UPDATE node SET parent = 1000000 WHERE row = 2",
           "UPDATE node SET parent = -1 WHERE row = 2",
           "UPDATE node SET parent = 'x' WHERE row = 2",
           "UPDATE node SET function = 99 WHERE row = 2",
           "UPDATE node SET function = NULL WHERE row = 2",
           "UPDATE node SET line = line + 1 WHERE row = 2",
           "UPDATE node SET id = zeroblob(1000000) WHERE row = 2",
           "DELETE FROM node WHERE row = 2",
           "UPDATE line SET function = 99",
           "UPDATE edge SET callee = 99",
           "UPDATE edge SET caller = 4294967295",
           "UPDATE edge SET part = 'self'",
           "DELETE FROM edge WHERE row = (SELECT max(row) FROM edge)",
           "UPDATE process SET status = 'lost' WHERE row = 1",
           "UPDATE process SET host = x'00' WHERE row = 1",
           "UPDATE attribute SET process = process + 3",
           "UPDATE thread SET process = 99 WHERE row = 1",
           "UPDATE thread SET class = 'main'",
           "UPDATE thread SET class = 'gpu' WHERE row = 0",
           "DELETE FROM thread WHERE row = (SELECT max(row) FROM thread)",
           "UPDATE source SET encoding = 'gzip'",
           "UPDATE source SET size = size + 1",
           "UPDATE source SET size = 9223372036854775807 WHERE encoding = 'zstd'",
           "UPDATE source SET size = 100000000 WHERE encoding = 'zstd'",
           "UPDATE source SET file = 'same'",
           "UPDATE tile SET subject = 'leaf' WHERE row = 1",
           "UPDATE tile SET metric = 3 WHERE row = 2",
           "UPDATE tile SET thread_class = 'gpu' WHERE row = 1",
           "UPDATE tile SET item_block = 1",
           "UPDATE tile SET item_block = 4000000000 WHERE row = 1",
           "UPDATE tile SET process_block = 1",
           "UPDATE tile SET process_block = 4294967290",
           "UPDATE tile SET scale = 0",
           "UPDATE tile SET scale = -5",
           "UPDATE tile SET scale = NULL",
           "UPDATE tile SET planes = 0",
           "UPDATE tile SET planes = 200",
           "UPDATE tile SET data = zeroblob(10)",
           "UPDATE tile SET data = 'text'",
           "UPDATE tile SET row = -row",
           "DROP INDEX tile_place; INSERT INTO tile SELECT NULL, subject, metric, thread_class, "
           "item_block, process_block, scale, planes, data FROM tile",
           "UPDATE region SET thread = 99",
           "UPDATE region SET depth = -1",
           "UPDATE counter SET process = 99",
           "UPDATE counter SET unit = ''",
           "UPDATE counter SET points = points + 1 WHERE planes > 0",
           "UPDATE counter SET points = 4000000000",
           "UPDATE counter SET points = 4000000 WHERE planes > 0",
           "UPDATE message SET process = -2",
           "UPDATE message SET level = 'loud'",
           "UPDATE note SET text = NULL",
           "UPDATE meta SET value = 128 WHERE key = 'items_per_block'",
           "UPDATE meta SET value = 'yes' WHERE key = 'is_sampled'",
           "DROP TABLE tile",
           "DROP TABLE node; CREATE VIEW node AS SELECT * FROM function",
           "ALTER TABLE node ADD COLUMN more",
           "DROP TABLE node; CREATE VIRTUAL TABLE node USING fts5 (row, parent)",
           "DROP TABLE line; CREATE TABLE line (row INTEGER PRIMARY KEY, function INTEGER AS (7))",
       }) {
    EXPECT_NE(error_after(sql), "") << sql;
  }
}

TEST_F(HostilePyro, TheSummaryIsCheckedToo) {
  const Path path = folder_ / "bad.pyro";
  for (const char* sql : {
           "UPDATE statistics SET item = 1000000 WHERE subject = 'node' AND item = 0",
           "UPDATE statistics SET metric = 3 WHERE metric = 2",
           "UPDATE statistics SET subject = 'leaf' WHERE subject = 'line'",
           "UPDATE statistics SET total = 'much'",
           "UPDATE process_total SET process = process + 3",
           "UPDATE process_total SET metric = metric + 3",
           "UPDATE process_total SET value = NULL",
           "DELETE FROM thread",
       }) {
    ASSERT_TRUE(write_file(path, bytes_));
    // Files with call edges are not summarised.
    run_sql(path, std::string("DELETE FROM edge; DELETE FROM tile WHERE subject = 'edge';"
                              "DELETE FROM statistics WHERE subject = 'edge';") +
                      sql);
    const auto profile = read_pyro(path, Detail::kSummary);
    ASSERT_FALSE(profile) << sql;
    EXPECT_EQ(profile.error().code, ErrorCode::kCorrupt) << sql;
  }
}

void put_big_endian(std::string& bytes, std::size_t at, std::size_t value, int size) {
  for (int i = size - 1; i >= 0; --i, value >>= 8) {
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value);
  }
}

// An interior page of a table whose children are all the same page.
std::string page_of_one_child(std::size_t child) {
  constexpr std::size_t kChildren = 20, kCell = 5, kHeader = 12;
  std::string page(4096, '\0');
  page[0] = 0x05;
  put_big_endian(page, 3, kChildren, 2);
  put_big_endian(page, 5, page.size() - kChildren * kCell, 2);
  put_big_endian(page, 8, child, 4);
  for (std::size_t i = 0; i < kChildren; ++i) {
    const std::size_t cell = page.size() - (i + 1) * kCell;
    put_big_endian(page, kHeader + 2 * i, cell, 2);
    put_big_endian(page, cell, child, 4);
    page[cell + 4] = 100;  // the largest row below it
  }
  return page;
}

TEST_F(HostilePyro, ATableThatRepeatsItselfEnds) {
  // Each page names the next one twenty times: few bytes, more rows than anyone can read.
  const std::size_t root =
      std::stoul(run_sql(good_, "SELECT rootpage FROM sqlite_master WHERE name = 'message'"));
  std::string bytes = bytes_;
  const std::size_t pages = bytes.size() / 4096;
  const std::string leaf = bytes.substr((root - 1) * 4096, 4096);
  bytes.replace((root - 1) * 4096, 4096, page_of_one_child(pages + 1));
  constexpr std::size_t kDepth = 10;
  for (std::size_t level = 1; level < kDepth; ++level) {
    bytes += page_of_one_child(pages + level + 1);
  }
  bytes += leaf;
  put_big_endian(bytes, 28, bytes.size() / 4096, 4);
  const Path path = folder_ / "bad.pyro";
  ASSERT_TRUE(write_file(path, bytes));
  const auto profile = read_pyro(path, Detail::kEverything);
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kCorrupt);
}

TEST_F(HostilePyro, CutAnywhere) {
  const std::size_t step = bytes_.size() / 150;
  for (std::size_t cut = 0; cut < bytes_.size(); cut += cut < 200 ? 20 : step) {
    expect_no_crash(bytes_.substr(0, cut));
  }
}

TEST_F(HostilePyro, FlippedBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string bytes = bytes_;
    for (std::uint32_t flips = random() % 8 + 1; flips > 0; --flips) {
      // Half of them in the headers of pages, where they hurt most.
      std::size_t place = random() % bytes.size();
      if (random() % 2 == 0) place = place / 4096 * 4096 + place % 60;
      bytes[place] = static_cast<char>(random());
    }
    expect_no_crash(bytes);
  }
}

TEST_F(HostilePyro, NothingBesideTheFileIsTouched) {
  // A journal that would be rolled back into the file by an ordinary SQLite.
  ASSERT_TRUE(write_file(folder_ / "good.pyro-journal", std::string(4096, 'j')));
  ASSERT_TRUE(write_file(folder_ / "good.pyro-wal", std::string(4096, 'w')));
  EXPECT_TRUE(read_pyro(good_, Detail::kEverything));
  EXPECT_EQ(*read_file(folder_ / "good.pyro-journal", 1 << 20), std::string(4096, 'j'));
  EXPECT_EQ(*read_file(folder_ / "good.pyro-wal", 1 << 20), std::string(4096, 'w'));
  EXPECT_EQ(*read_file(good_, 1 << 24), bytes_);
}

}  // namespace
}  // namespace pyrometer
