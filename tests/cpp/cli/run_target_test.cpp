#include "cli/run_target.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/command_line.h"
#include "support/temporary_folder.h"

namespace pyrometer {
namespace {

using Words = std::vector<std::string>;
using testing::TemporaryFolder;

std::size_t own_words(const std::vector<const char*>& words) {
  const auto line = make_command_line();
  return count_own_words(line->app, words);
}

TEST(RunTarget, OurOptionsEndAtTheProgram) {
  EXPECT_EQ(own_words({"pyrometer", "run", "wave.py", "-o", "x"}), 2U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-o", "x", "wave.py"}), 4U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-ox", "wave.py"}), 3U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-qo", "x", "wave.py"}), 4U);
  EXPECT_EQ(own_words({"pyrometer", "run", "--rate=5", "wave.py"}), 3U);
  EXPECT_EQ(own_words({"pyrometer", "run", "--rate", "5", "-q", "wave.py", "-h"}), 5U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-q", "-m", "timeit", "-h"}), 3U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-cprint(1)", "-q"}), 2U);
  EXPECT_EQ(own_words({"pyrometer", "run", "--", "-o"}), 2U);
  EXPECT_EQ(own_words({"pyrometer", "run", "--bogus", "wave.py"}), 3U);
  EXPECT_EQ(own_words({"pyrometer", "run", "-o"}), 3U);
  EXPECT_EQ(own_words({"pyrometer", "report", "x", "--lines"}), 4U);
  EXPECT_EQ(own_words({"pyrometer"}), 1U);
}

RunTarget target_of(Words words) { return resolve_target(std::move(words), "py").value(); }

TEST(RunTarget, ScriptsModulesAndCodeAreForPython) {
  EXPECT_EQ(target_of({"dir/wave.py", "-n"}).argv, (Words{"py", "dir/wave.py", "-n"}));
  EXPECT_EQ(target_of({"dir/wave.py"}).name, "wave");
  EXPECT_EQ(target_of({"-m", "pkg.tool", "x"}).argv, (Words{"py", "-m", "pkg.tool", "x"}));
  EXPECT_EQ(target_of({"-m", "pkg.tool"}).name, "pkg.tool");
  EXPECT_EQ(target_of({"-mtimeit"}).name, "timeit");
  EXPECT_EQ(target_of({"-c", "1", "-h"}).argv, (Words{"py", "-c", "1", "-h"}));
  EXPECT_EQ(target_of({"-c", "1"}).name, "code");
  EXPECT_EQ(target_of({"-"}).name, "stdin");
  EXPECT_TRUE(target_of({"no-such-file.py"}).is_python);
}

TEST(RunTarget, OtherWordsAreProgramsUnlessAFileSaysOtherwise) {
  const TemporaryFolder folder;
  const auto is_python = [](const Path& path) { return target_of({path.string()}).is_python; };
  EXPECT_FALSE(target_of({"pytest", "-q"}).is_python);
  EXPECT_EQ(target_of({"/usr/bin/pytest"}).name, "pytest");
  EXPECT_EQ(target_of({"--", "/usr/bin/python3", "-u", "dir/wave.py"}).name, "wave");
  EXPECT_EQ(target_of({"--", "python3"}).name, "python3");
  ASSERT_TRUE(create_file(folder / "script", "print(1)"));
  EXPECT_TRUE(is_python(folder / "script"));
  std::filesystem::permissions(folder / "script", std::filesystem::perms::owner_all);
  EXPECT_FALSE(is_python(folder / "script"));
  ASSERT_TRUE(write_file(folder / "script", "PK\x03\x04 and more"));
  EXPECT_TRUE(is_python(folder / "script"));
  std::filesystem::create_directory(folder / "app");
  EXPECT_TRUE(is_python(folder / "app"));
  const Path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_FALSE(is_python("app"));
  ASSERT_TRUE(create_file(folder / "app" / "__main__.py", ""));
  EXPECT_TRUE(is_python("app"));
  std::filesystem::current_path(before);
  EXPECT_EQ(target_of({(folder / "app").string() + "/"}).name, "app");
}

TEST(RunTarget, AfterTwoDashesAlwaysAProgram) {
  const RunTarget target = target_of({"--", "tool.py", "--", "x"});
  EXPECT_FALSE(target.is_python);
  EXPECT_EQ(target.argv, (Words{"tool.py", "--", "x"}));
}

TEST(RunTarget, NothingToRunIsWrongUsage) {
  for (const Words& words : {Words{}, Words{"--"}, Words{""}, Words{"-m"}, Words{"-c"}}) {
    EXPECT_EQ(resolve_target(words, "py").error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace pyrometer
