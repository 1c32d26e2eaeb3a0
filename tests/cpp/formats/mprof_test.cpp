#include <gtest/gtest.h>

#include "formats/mprof_file.h"

using namespace pyrometer;

TEST(Mprof, EveryKindOfLineInAnyOrder) {
  const auto file = read_mprof(
                        "FUNC main.f 1.000000 100.5000 2.500000 101.0000 1\n"
                        "CMDLINE python3 x.py --n 3\n"
                        "MEM 1.000000 100.2500\n"
                        "CHLD 4711 3.000000 100.3000\n"
                        "NEW kind of line\n"
                        "MEM 2.000000 100.7500\n"
                        "CHLD 4711 4.000000 100.4000\n")
                        .value();
  EXPECT_EQ(file.command_line, "python3 x.py --n 3");
  EXPECT_EQ(file.points,
            (std::vector<MprofPoint>{{100'250'000'000, 1 << 20}, {100'750'000'000, 2 << 20}}));
  ASSERT_EQ(file.children.size(), 1U);
  EXPECT_EQ(file.children[0].number, 4711U);
  EXPECT_EQ(file.children[0].points.size(), 2U);
  ASSERT_EQ(file.calls.size(), 1U);
  EXPECT_EQ(file.calls[0].name, "main.f");
  EXPECT_EQ(file.calls[0].after, (MprofPoint{101'000'000'000, 5 << 19}));
  EXPECT_EQ(file.calls[0].level, 1U);
}

TEST(Mprof, TimesSince1970KeepTheirDigits) {
  const auto file = read_mprof("CMDLINE x\nMEM 1 1763245678.1234\n").value();
  EXPECT_EQ(file.points[0].time, 1'763'245'678'123'400'000);
}

TEST(Mprof, ALastLineThatWasCutIsLeftOut) {
  EXPECT_EQ(read_mprof("CMDLINE x\nMEM 1 100\nMEM 2").value().points.size(), 1U);
}

TEST(Mprof, Errors) {
  const auto broken = read_mprof("CMDLINE x\nMEM much 100\nMEM 1 101\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message, "line 2 is none that mprof writes");
  const auto empty = read_mprof("CMDLINE x\n");
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("shorter one with 'mprof run -T'"), std::string::npos);
}

TEST(Mprof, RecognisedByItsFirstLine) {
  EXPECT_TRUE(looks_like_mprof("CMDLINE python x.py\n"));
  EXPECT_TRUE(looks_like_mprof("MEM 1.5 100.5\n"));
  EXPECT_TRUE(looks_like_mprof("FUNC a.b 1 2 3 4 0\n"));
  EXPECT_FALSE(looks_like_mprof("MEMORY 1 2\n"));
  EXPECT_FALSE(looks_like_mprof("MEM use;f 12\n"));
  EXPECT_FALSE(looks_like_mprof(""));
}
