#include "collect/line_selection.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

CodePlace own(std::string_view module, std::string_view file, std::string_view name) {
  return {module, file, name, true};
}

bool selects(std::string target, const CodePlace& place) {
  return LineSelection({std::move(target)}).selects(place);
}

TEST(LineSelection, WithoutTargetsAllThatIsOwn) {
  const LineSelection all({});
  EXPECT_TRUE(all.is_everything_own());
  EXPECT_TRUE(all.selects(own("__main__", "/home/a.py", "f")));
  EXPECT_FALSE(all.selects({"json", "/usr/lib/json.py", "dumps", false}));
}

TEST(LineSelection, NamesOfFunctionsInOwnFiles) {
  const CodePlace method = own("wave", "/home/wave.py", "Solver.solve");
  EXPECT_TRUE(selects("solve", method));
  EXPECT_TRUE(selects("Solver", method));
  EXPECT_TRUE(selects("Solver.solve", method));
  EXPECT_TRUE(selects("sol*", own("wave", "/home/wave.py", "solve")));
  EXPECT_FALSE(selects("sol", method));
  EXPECT_FALSE(selects("olve", method));
  EXPECT_FALSE(selects("solve", {"other", "/usr/lib/other.py", "solve", false}));
}

TEST(LineSelection, Modules) {
  const CodePlace place{"package.inner", "/usr/lib/package/inner.py", "f", false};
  EXPECT_TRUE(selects("package.inner", place));
  EXPECT_TRUE(selects("package.inner.f", place));
  EXPECT_TRUE(selects("package.*", place));
  EXPECT_TRUE(selects("package.*", {"package", "/usr/lib/package/__init__.py", "f", false}));
  EXPECT_FALSE(selects("package", place));
  EXPECT_FALSE(selects("pack.*", place));
  EXPECT_FALSE(selects("package.inner.g", place));
  EXPECT_FALSE(selects("package.in", place));
}

TEST(LineSelection, TheMainModuleHasTheNameOfItsFile) {
  const CodePlace place = own("__main__", "/home/script.py", "f");
  EXPECT_TRUE(selects("script", place));
  EXPECT_TRUE(selects("script.f", place));
  EXPECT_TRUE(selects("__main__", place));
  EXPECT_FALSE(selects("script.g", place));
  EXPECT_FALSE(selects("script", {"other", "/home/script.py", "f", true}));
}

TEST(LineSelection, Files) {
  const CodePlace place{"a.b", "/home/a/b.py", "Shape.area", false};
  EXPECT_TRUE(selects("b.py", place));
  EXPECT_TRUE(selects("a/b.py", place));
  EXPECT_TRUE(selects("/home/a/b.py", place));
  EXPECT_TRUE(selects("a/*.py", place));
  EXPECT_TRUE(selects("b.py:Shape", place));
  EXPECT_TRUE(selects("b.py:Shape.area", place));
  EXPECT_TRUE(selects("b.py:area", place));
  EXPECT_TRUE(selects("b.py:Sh*", place));
  EXPECT_FALSE(selects("b.py:other", place));
  EXPECT_FALSE(selects("c.py", place));
  EXPECT_FALSE(selects("y.py", {"", "/home/my.py", "f", true}));
}

TEST(LineSelection, AnyOfSeveral) {
  LineSelection selection({"first"});
  selection.add("second");
  EXPECT_TRUE(selection.selects(own("m", "/m.py", "first")));
  EXPECT_TRUE(selection.selects(own("m", "/m.py", "second")));
  EXPECT_FALSE(selection.selects(own("m", "/m.py", "third")));
}

TEST(LineSelection, InsideAName) {
  EXPECT_TRUE(is_or_is_in("f", "f"));
  EXPECT_TRUE(is_or_is_in("A.f", "A"));
  EXPECT_TRUE(is_or_is_in("A.f", "f"));
  EXPECT_TRUE(is_or_is_in("outer.<locals>.f", "outer"));
  EXPECT_TRUE(is_or_is_in("ff.f", "f"));
  EXPECT_FALSE(is_or_is_in("ff", "f"));
  EXPECT_FALSE(is_or_is_in("fa.af", "f"));
  EXPECT_FALSE(is_or_is_in("", "f"));
}

}  // namespace
}  // namespace pyrometer
