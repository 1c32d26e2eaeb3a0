#include "load/json/foreign_frame.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pyrometer {
namespace {

std::string described(const ForeignFrame& frame) {
  return fmt::format("{}|{}|{}", frame.name, frame.file, frame.line);
}

TEST(ForeignFrame, TextsOfManyTools) {
  EXPECT_EQ(described(split_frame("f (/a (b)/c.py:12)")), "f|/a (b)/c.py|12");
  EXPECT_EQ(described(split_frame("sin (in libm.so.6)")), "sin|libm.so.6|0");
  EXPECT_EQ(described(split_frame("torch/a.py(15): _call")), "_call|torch/a.py|15");
  for (const char* plain :
       {"", "main", "f(int)", "f (x)", " (a:1)", "(a): b", "a.py(x): f", "()"}) {
    EXPECT_EQ(described(split_frame(plain)), fmt::format("{}||0", plain));
  }
  EXPECT_EQ(described(split_place("C:/w.py:7")), "|C:/w.py|7");
  for (const char* none : {"", ":", "a:", ":3", "a:-3", "a:99999999999", "cpu_op"}) {
    EXPECT_EQ(described(split_place(none)), "||0");
  }
  EXPECT_EQ(described(split_location("f:/w/a:b.py:12")), "f|/w/a:b.py|12");
  EXPECT_EQ(described(split_location("<unknown>")), "<unknown>||0");
}

TEST(ForeignFrame, KindsFollowFromFiles) {
  ProfileBuilder builder;
  const auto function = [&](std::string_view name, std::string_view file) {
    const FunctionId id = foreign_function(builder, name, file, 0);
    const Function& made = builder.profile().functions[id.row()];
    return fmt::format("{} {}", name_of(made.kind), builder.profile().text(made.name));
  };
  EXPECT_EQ(function("C.f", "/w/a.py"), "python f");
  EXPECT_EQ(function("<module>", "<frozen a.b>"), "python <module>");
  EXPECT_EQ(function("memcpy.part.0", "/lib/libc.so.6"), "native memcpy.part.0");
  EXPECT_EQ(function("run", "engine.cpp"), "native run");
  EXPECT_EQ(function("<built-in method len>", ""), "builtin <built-in method len>");
}

}  // namespace
}  // namespace pyrometer
