#include "base/file.h"

#include <gtest/gtest.h>

#include "base/compression.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

class FileTest : public ::testing::Test {
 protected:
  const testing::TemporaryFolder folder_;
};

TEST_F(FileTest, WrittenFileReadsBack) {
  ASSERT_TRUE(write_file(folder_ / "a", "content"));
  EXPECT_EQ(read_file(folder_ / "a", 100).value(), "content");
  EXPECT_EQ(read_prefix(folder_ / "a", 3).value(), "con");
}

TEST_F(FileTest, WritingReplacesAndLeavesNoTemporary) {
  ASSERT_TRUE(write_file(folder_ / "a", "old"));
  ASSERT_TRUE(write_file(folder_ / "a", "new"));
  EXPECT_EQ(read_file(folder_ / "a", 100).value(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(FileTest, CreatingRefusesWhatExists) {
  ASSERT_TRUE(create_file(folder_ / "a", "first"));
  const auto again = create_file(folder_ / "a", "second");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  EXPECT_EQ(read_file(folder_ / "a", 100).value(), "first");
}

TEST_F(FileTest, CreatingRefusesAPlantedLink) {
  std::filesystem::create_symlink(folder_ / "target", folder_ / "link");
  EXPECT_FALSE(create_file(folder_ / "link", "x"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "target"));
}

TEST_F(FileTest, ErrorsNameTheFile) {
  const auto missing = read_file(folder_ / "missing", 100);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("missing"), std::string::npos);
  const auto directory = read_file(folder_.path(), 100);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::kUsage);
  const auto unwritable = write_file("/no/such/folder/file", "x");
  ASSERT_FALSE(unwritable);
  EXPECT_NE(unwritable.error().message.find("/no/such/folder/file"), std::string::npos);
}

TEST_F(FileTest, LargerThanTheLimitIsRefusedBeforeReading) {
  ASSERT_TRUE(write_file(folder_ / "a", "content"));
  const auto refused = read_file(folder_ / "a", 3);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(Compression, RoundTripAndLies) {
  const std::string text(100'000, 'x');
  const std::string packed = compress(text);
  EXPECT_LT(packed.size(), 200U);
  EXPECT_EQ(decompress(packed, text.size()).value(), text);
  EXPECT_FALSE(decompress(packed, text.size() - 1));
  EXPECT_FALSE(decompress(packed, 1ULL << 40));  // refused before it is allocated
  EXPECT_FALSE(decompress("not zstd", 10));
  EXPECT_FALSE(decompress(packed.substr(0, packed.size() / 2), text.size()));
}

}  // namespace
}  // namespace pyrometer
