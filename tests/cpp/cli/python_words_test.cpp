#include "cli/python_words.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

using Words = std::vector<std::string>;

std::string option_in(const Words& argv) {
  return read_python_words(argv).value_or(PythonWords()).isolating_option;
}

std::string name_in(const Words& argv) {
  return read_python_words(argv).value_or(PythonWords()).name;
}

TEST(PythonWords, OptionsThatKeepUsOut) {
  EXPECT_EQ(option_in({"python3", "-I", "x.py"}), "-I");
  EXPECT_EQ(option_in({"/usr/bin/python3.11", "-uE", "x.py"}), "-E");
  EXPECT_EQ(option_in({"python", "-X", "dev", "-W", "-I", "-S", "-c", "1"}), "-S");
  EXPECT_EQ(option_in({"python3", "x.py", "-I"}), "");
  EXPECT_EQ(option_in({"python3", "-c", "1", "-I"}), "");
  EXPECT_EQ(option_in({"python3", "-s", "-m", "x", "-I"}), "");
  EXPECT_EQ(option_in({"grep", "-I"}), "");
}

TEST(PythonWords, RunsAreNamedAfterWhatPythonRuns) {
  EXPECT_EQ(name_in({"python3", "-u", "dir/wave.py", "-n", "5"}), "wave");
  EXPECT_EQ(name_in({"python3", "-X", "importtime", "-Wd", "wave.py"}), "wave");
  EXPECT_EQ(name_in({"python3", "-um", "pkg.tool", "x"}), "pkg.tool");
  EXPECT_EQ(name_in({"python3", "-mtimeit"}), "timeit");
  EXPECT_EQ(name_in({"python3", "-bc", "print(1)", "wave.py"}), "code");
  EXPECT_EQ(name_in({"python3", "--", "-odd.py"}), "-odd");
  EXPECT_EQ(name_in({"python3", "-"}), "stdin");
}

TEST(PythonWords, NothingToNameARunAfter) {
  EXPECT_EQ(name_in({"python3"}), "");
  EXPECT_EQ(name_in({"python3", "-m"}), "");
  EXPECT_EQ(name_in({"python3", "-X"}), "");
  EXPECT_EQ(name_in({"python3", "--"}), "");
  EXPECT_FALSE(read_python_words({"pytest", "-q"}));
}

}  // namespace
}  // namespace pyrometer
