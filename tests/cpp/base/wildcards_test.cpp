#include "base/wildcards.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

TEST(Wildcards, AsInAShell) {
  for (const auto& [pattern, name] : std::initializer_list<std::pair<const char*, const char*>>{
           {"*", ""},
           {"run.*.part", "run.12.part"},
           {"run.*.part", "run..part"},
           {"*a*b", "xaabab"},
           {"r?n", "run"},
           {"[a-c]1", "b1"},
           {"[!a-c]1", "d1"},
           {"[]x]", "]"},
           {"[-a]", "-"},
           {"a[", "a["},
           {"**", "anything"},
       }) {
    EXPECT_TRUE(matches_wildcards(pattern, name)) << pattern << " " << name;
  }
  for (const auto& [pattern, name] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "x"},
           {"run.*.part", "run.12.parts"},
           {"run.*.part", "run.part"},
           {"r?n", "rn"},
           {"[a-c]1", "d1"},
           {"[!a-c]1", "a1"},
           {"*a*b", "xaaba"},
           {"a[", "a"},
       }) {
    EXPECT_FALSE(matches_wildcards(pattern, name)) << pattern << " " << name;
  }
}

TEST(Wildcards, ManyStarsDoNotExplode) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(matches_wildcards(pattern + "b", std::string(2000, 'a')));
}

TEST(Wildcards, FilesAndFoldersInOrder) {
  const testing::TemporaryFolder folder;
  const Path root = folder.path();
  for (const char* name : {"b", "a", "c.txt", ".hidden"}) {
    std::filesystem::create_directories(root / name);
    ASSERT_TRUE(write_file(root / name / "x.prof", "1"));
  }
  EXPECT_EQ(find_paths((root / "?").string()), (std::vector<Path>{root / "a", root / "b"}));
  EXPECT_EQ(find_paths((root / "*" / "x.prof").string()),
            (std::vector<Path>{root / "a/x.prof", root / "b/x.prof", root / "c.txt/x.prof"}));
  EXPECT_EQ(find_paths((root / ".h*" / "*").string()),
            (std::vector<Path>{root / ".hidden/x.prof"}));
  EXPECT_TRUE(find_paths((root / "*" / "y.prof").string()).empty());
  EXPECT_TRUE(find_paths((root / "missing" / "*").string()).empty());
}

}  // namespace
}  // namespace pyrometer
