#include "profile/module_path.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

TEST(ModulePath, LongestSearchPathWins) {
  const std::vector<std::string> roots{"/home/u/project", "/home/u/project/src/", "/"};
  EXPECT_EQ(module_relative("/home/u/project/src/pkg/a.py", roots), "pkg/a.py");
  EXPECT_EQ(module_relative("/home/u/project/run.py", roots), "run.py");
  EXPECT_EQ(module_relative("/home/u/projects/run.py", roots), "/home/u/projects/run.py");
}

TEST(ModulePath, WellKnownFoldersWithoutASearchPath) {
  EXPECT_EQ(module_relative("/opt/env/lib/python3.11/site-packages/numpy/core/a.py", {}),
            "numpy/core/a.py");
  EXPECT_EQ(module_relative("/usr/lib/python3/dist-packages/yaml/__init__.py", {}),
            "yaml/__init__.py");
  EXPECT_EQ(module_relative("/usr/lib/python3.15/json/decoder.py", {}), "json/decoder.py");
}

TEST(ModulePath, WhatIsNoPathStaysAsItIs) {
  for (const char* name :
       {"<string>", "~", "", "relative/file.py", "<frozen importlib._bootstrap>"}) {
    EXPECT_EQ(module_relative(name, {"/home"}), name);
  }
}

TEST(ModulePath, WhoseASourceFileIs) {
  using enum SourceOwner;
  const std::vector<std::string> roots{"/src/Lib", "/src/Lib/lib-dynload"};
  const std::pair<const char*, SourceOwner> files[] = {
      {"/home/u/project/run.py", kUser},
      {"run.py", kUser},
      {"<stdin>", kUser},
      {"/home/u/project/.venv/lib/python3.12/site-packages/numpy/a.py", kInstalled},
      {"/usr/lib/python3/dist-packages/yaml/__init__.py", kInstalled},
      {"<decorator-gen-3>", kInstalled},
      {"/usr/lib/python3.15/json/decoder.py", kStandardLibrary},
      {"<frozen runpy>", kStandardLibrary},
      {"/src/Lib/json/decoder.py", kStandardLibrary},
      {"/src/Library/json.py", kUser},
  };
  for (const auto& [file, owner] : files) EXPECT_EQ(source_owner(file, roots), owner) << file;
}

}  // namespace
}  // namespace pyrometer
