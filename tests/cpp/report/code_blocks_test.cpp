#include "report/code_blocks.h"

#include <gtest/gtest.h>

#include "profile/source_file.h"
#include "report/paint_python.h"

using namespace pyrometer;

namespace {

using Starts = std::vector<std::size_t>;

std::size_t block(const std::string& text) { return block_size(split_source(text)); }
Starts starts(const std::string& text) { return statement_starts(split_source(text)); }

}  // namespace

TEST(CodeBlocks, EndWithTheIndentation) {
  EXPECT_EQ(block("def f():\n    a\n\n    b\n\nc\n"), 4U);
  EXPECT_EQ(block("    def f(self):\n        a\n    def g(self):\n        b\n"), 2U);
  EXPECT_EQ(block("def f(): return 1\nx = 2\n"), 1U);
  EXPECT_EQ(block("@decorated(\n  1)\n@again\nasync def f():\n  a\nb\n"), 5U);
  EXPECT_EQ(block("f = lambda x: (\n    x)\nb\n"), 2U);
  EXPECT_EQ(block("cdef f(int x):\n    a\nb\n"), 2U);
  EXPECT_EQ(block(""), 0U);
}

TEST(CodeBlocks, CommentsBelongToTheBodyByTheirColumn) {
  EXPECT_EQ(block("def f():\n    a\n    # last\n# next\nb\n"), 3U);
  EXPECT_EQ(block("def f():\n    a\n  # less\nb\n"), 2U);
}

TEST(CodeBlocks, StringsAndBracketsHideIndentation) {
  EXPECT_EQ(block("def f():\n    a = '''\nx\n'''\n    b = (\n1)\n    c = 'y\\\nz'\nd\n"), 8U);
  EXPECT_EQ(block("def f():\n    a = f'{x[\"k\"]:>{w}}' + f\"{'}'}\"\n    b\nc\n"), 3U);
  EXPECT_EQ(block("def f():\n    a = f'{'nested'}' + rb'\\'' \\\n  + '#'\n    b\nc\n"), 4U);
}

TEST(CodeBlocks, WhatIsNotPythonJustEnds) {
  EXPECT_LE(block("def f():\n    a = '''\nx\n"), 3U);
  EXPECT_LE(block("def f():\n    a = 'x\n    b\n"), 3U);
  EXPECT_LE(block("def f():\n        a\n    b\n"), 3U);
  EXPECT_LE(block("def f():\n    ((((((\n"), 2U);
  EXPECT_LE(block("x = " + std::string(1000, '{') + "f'" + std::string(1000, '{') + "\n"), 1U);
}

TEST(CodeBlocks, StatementsOverSeveralLines) {
  EXPECT_EQ(starts("a = f(\n  1,\n\n  # why\n  2)\nb\n"), (Starts{0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(starts("if (a and\n    b):\n    c = '''\n'''\n"), (Starts{0, 0, 2, 2}));
  EXPECT_EQ(starts("a = 1 + \\\n  2\n\n# comment\nb\n"), (Starts{0, 0, 2, 3, 4}));
}

TEST(SourceFile, LinesAreSplitAsPythonDoes) {
  EXPECT_EQ(split_source("\xef\xbb\xbf"
                         "a\r\nb\rc\n\nd\f e"),
            (std::vector<std::string>{"a", "b", "c", "", "d\f e"}));
}

TEST(PaintPython, KeepsTheTextAndDisarmsIt) {
  const std::vector<std::string> lines = {"def f(n):", "\treturn '\x1b[2J'  # x"};
  const std::vector<std::string> painted = paint_python(lines);
  ASSERT_EQ(painted.size(), 2U);
  EXPECT_EQ(painted[0], "\x1b[96mdef\x1b[0m \x1b[92mf\x1b[0m(n):");
  EXPECT_EQ(painted[1], "\t\x1b[96mreturn\x1b[0m \x1b[93m'\\x1b[2J'\x1b[0m  \x1b[37m# x\x1b[0m");
}
