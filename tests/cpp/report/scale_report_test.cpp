#include "report/scale_report.h"

#include <gtest/gtest.h>

#include "report/svg_text.h"

using namespace pyrometer;

namespace {

// One line that takes 8, 5 and 4 s, and one that is new on four processes.
Scaling small_study() {
  const auto run = [](std::int64_t count, std::int64_t seconds, bool has_second) {
    CostTable table{.metric = {"line-time", Unit::kNanoseconds}, .total = seconds * 1'000'000'000};
    table.rows.push_back({.file = "/w/a.py",
                          .name = "f",
                          .first_line = 1,
                          .line = 2,
                          .value = table.total,
                          .hits = 7});
    if (has_second) {
      table.rows.push_back(
          {.file = "/w/a.py", .name = "f", .first_line = 1, .line = 3, .value = 500, .hits = 1});
    }
    return ScalingRun{count, "run", {table}};
  };
  return make_scaling({run(1, 8, false), run(2, 5, false), run(4, 4, true)}, {}).value();
}

std::string text_of(const CostRow& row) { return row.line == 2 ? "    x = a | b, \"c\"" : ""; }

}  // namespace

TEST(ScaleReport, LayoutOfKratos) {
  EXPECT_EQ(scale_kratos(small_study(), {.text = text_of}),
            "a.py:f:2:     x = a | b, \"c\"|1.0|1.6|2.0|4.0|7\n"
            "a.py:f:3:||||5e-07|1\n"
            "{1: 1, 2: 1.6, 4: 2.0}\n");
  EXPECT_EQ(scale_kratos(small_study(), {.field = ScalingField::kHits, .limit = 1}),
            "a.py:f:2:|7|7|7|4.0|7\n"
            "{1: 1, 2: 1.6, 4: 2.0}\n");
}

TEST(ScaleReport, CommasAndQuotes) {
  EXPECT_EQ(scale_csv(small_study(), {.field = ScalingField::kTime, .text = text_of}),
            "file,function,line,source,time_1,time_2,time_4,seconds,hits,loss\n"
            "/w/a.py,f,2,\"    x = a | b, \"\"c\"\"\",8,5,4,4,7,0.5\n"
            "/w/a.py,f,3,,,,5e-07,5e-07,1,\n");
}

TEST(ScaleReport, PictureHasACurvePerRowThatScales) {
  const std::string svg = scale_plot(small_study(), {});
  std::size_t curves = 0;
  for (std::size_t at = svg.find("stroke-linejoin"); at != std::string::npos;
       at = svg.find("stroke-linejoin", at + 1)) {
    ++curves;
  }
  EXPECT_EQ(curves, 2U);  // line 2 and the whole
  EXPECT_NE(svg.find(">2×  total<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgText, IsEscapedAndShort) {
  EXPECT_EQ(svg_text(1, 2.25, "tick", "<a & \"b\">\x1b"),
            "<text x=\"1.0\" y=\"2.2\" class=\"tick\">&lt;a &amp; &quot;b&quot;&gt;\\x1b</text>\n");
  EXPECT_EQ(shorten_label("short", 10), "short");
  EXPECT_EQ(shorten_label("abcdefghijklmnopqrstuvwxyz", 10), "abcd…vwxyz");
}
