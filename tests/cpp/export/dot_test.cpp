#include "export/dot.h"

#include <gtest/gtest.h>

#include <set>

#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

ShareGraph graph_of(const Profile& profile) {
  return make_share_graph(profile, MetricId(0), make_call_graph(profile, MetricId(0)));
}

ShareGraph one_node(const std::string& name) {
  ShareGraph graph;
  GraphNode node;
  node.name = name;
  node.first = GraphFigures{.total_share = 0.5, .self_share = 0.25, .total = 3, .self = 1};
  graph.nodes.push_back(node);
  return graph;
}

// The text between label=" and the next ".
std::string label_of(const std::string& dot, std::size_t nth = 0) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= nth; ++i) begin = dot.find("label=\"", begin) + 7;
  return dot.substr(begin, dot.find('"', begin) - begin);
}

TEST(Dot, WholeFile) {
  const ShareGraph graph =
      graph_of(profile_of_stacks({{"main", 250'000'000, 1}, {"main;solve", 750'000'000, 3}}));
  EXPECT_EQ(write_dot(graph, {}), R"(digraph {
	tooltip=" "
	graph [fontname=Arial, nodesep=0.125, ranksep=0.25];
	node [fontname=Arial, height=0, shape=box, style=filled, width=0];
	edge [fontname=Arial];
	0 [color="#ff0000", fontcolor="#000000", fontsize="10.00", label="main:1:main\n100.00%\n(25.00%)\n1×", tooltip="/home/user/main.py"];
	1 [color="#dada06", fontcolor="#000000", fontsize="10.00", label="solve:1:solve\n75.00%\n(75.00%)\n3×", tooltip="/home/user/solve.py"];
	0 -> 1 [arrowsize="0.87", color="#dada06", fontcolor="#000000", fontsize="10.00", label="  75.00%\n  3×", labeldistance="3.00", penwidth="3.00"];
}
)");
}

TEST(Dot, Labels) {
  const Profile profile = profile_of_stacks({{"f", 1'234'567'890, 0}}, true);
  DotOptions options{.node_labels = {NodeLabel::kSelfTime, NodeLabel::kTotalTime}};
  options.time_format = TimeFormat::parse("%.2f s").value();
  options.show_samples = true;
  EXPECT_EQ(label_of(write_dot(graph_of(profile), options)), "f:1:f\\n(1.23 s)\\n1.23 s\\n1234×");
}

TEST(Dot, NamesCannotLeaveTheirQuotes) {
  const std::string dot = write_dot(one_node("a\"];\\N\n\x1b[31m\xff"), {});
  EXPECT_NE(dot.find(R"(label="a\"];\\N\\x0a\\x1b[31m\\xff\n50.00%)"), std::string::npos) << dot;
  const std::string bounded = write_dot(one_node(std::string(100'000, 'x')), {});
  EXPECT_LT(bounded.size(), 5000);
  EXPECT_NE(bounded.find("xxx…\\n"), std::string::npos);
}

TEST(Dot, Comparison) {
  const ShareGraph first =
      graph_of(profile_of_stacks({{"main;solve", 60, 6}, {"main;old", 15, 1}, {"main", 25, 1}}));
  const ShareGraph second =
      graph_of(profile_of_stacks({{"main;solve", 70, 7}, {"main;new", 5, 1}, {"main", 25, 1}}));
  const ShareGraph both = compare_graphs(first, second);
  const std::string dot = write_dot(both, {});
  EXPECT_EQ(label_of(dot, 0), "main:1:main\\n100.00%\\n(25.00%)\\n1× / 1×");
  EXPECT_EQ(label_of(dot, 1), "solve:1:solve\\n60.00% + 10.000%\\n(60.00%) + 10.000%\\n6× / 7×");
  EXPECT_EQ(label_of(dot, 2),
            "old:1:old\\nonly in the first\\n15.00% - 15.000%\\n(15.00%) - 15.000%\\n1× / 0×");
  EXPECT_EQ(label_of(dot, 3),
            "new:1:new\\nonly in the second\\n0.00% + 5.000%\\n(0.00%) + 5.000%\\n0× / 1×");
  EXPECT_EQ(label_of(dot, 4), "  60.00% / 70.00%\\n  6× / 7×");
  EXPECT_NE(dot.find("shape=cds, tooltip=\"/home/user/solve.py\""), std::string::npos);
  EXPECT_NE(dot.find("shape=cds, orientation=90, tooltip=\"/home/user/old.py\""),
            std::string::npos);

  const std::string slower = write_dot(both, {.only_slower = true});
  EXPECT_EQ(slower.find("orientation=90"), std::string::npos);
  const std::string coarse = write_dot(both, {.tolerance = 12});
  EXPECT_EQ(label_of(coarse, 1), "solve:1:solve\\n60.00%\\n(60.00%)\\n6× / 7×");
  EXPECT_EQ(label_of(coarse, 2).substr(30, 12), "15.00% - 15%");

  // The largest difference, that of `old`, is the hottest; main has not changed.
  const std::string colored = write_dot(both, {.color_by_difference = true});
  EXPECT_NE(colored.find("0 [color=\"#0d0d73\""), std::string::npos);
  EXPECT_NE(colored.find("2 [color=\"#ff0000\""), std::string::npos);
}

TEST(GraphTheme, ColorsAreThoseOfGprof2dot) {
  const GraphTheme color = find_graph_theme("color").value();
  const std::pair<double, const char*> known[] = {
      {0, "#0d0d73"},   {0.05, "#0d2279"}, {0.1, "#0d3b80"}, {0.25, "#0c9393"},
      {0.5, "#0ab60a"}, {0.75, "#dada06"}, {1, "#ff0000"},   {1.5, "#ff0000"}};
  for (const auto& [weight, hex] : known) EXPECT_EQ(color.color(weight).to_string(), hex);
  EXPECT_EQ(find_graph_theme("gray").value().color(1).to_string(), "#000000");
  EXPECT_EQ(find_graph_theme("bw").value().font_size(1), 24);
  EXPECT_EQ(find_graph_theme("print").value().text_color(0.5).to_string(), "#000000");
  EXPECT_EQ(find_graph_theme("blue").error().code, ErrorCode::kUsage);
}

TEST(GraphTheme, SkewBendsTheWayNotTheEnds) {
  GraphTheme theme = find_graph_theme("color").value();
  theme.skew = 0.01;
  EXPECT_EQ(theme.color(0).to_string(), "#0d0d73");
  EXPECT_EQ(theme.color(1).to_string(), "#ff0000");
  EXPECT_EQ(theme.color(0.5).to_string(), "#f15902");
}

TEST(GraphTheme, AllTextCanBeRead) {
  for (const GraphTheme& theme : graph_themes()) {
    for (int percent = 0; percent <= 100; ++percent) {
      const double weight = percent / 100.0;
      const Rgb paper = theme.is_filled ? theme.color(weight) : Rgb{255, 255, 255};
      EXPECT_GE(contrast(theme.text_color(weight), paper), 4.5) << theme.name << percent;
      EXPECT_GE(contrast(theme.edge_text_color(weight), {255, 255, 255}), 3)
          << theme.name << percent;
    }
  }
}

TEST(GraphTheme, SafeGetsDarkerAllTheWay) {
  const GraphTheme safe = find_graph_theme("safe").value();
  constexpr Rgb kWhite{255, 255, 255};
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_GT(contrast(safe.color(percent / 100.0), kWhite),
              contrast(safe.color((percent - 1) / 100.0), kWhite))
        << percent;
  }
  EXPECT_GT(contrast(safe.color(1), safe.color(0)), 7);
}

TEST(GraphText, StripParameters) {
  EXPECT_EQ(strip_parameters("std::sort<int*, Less<int>>(int*, f(*)(int)) const"), "std::sort");
  EXPECT_EQ(strip_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
  EXPECT_EQ(strip_parameters("operator<(A<int> const&)"), "operator<");
  EXPECT_EQ(strip_parameters("wave:1:<module>"), "wave:1:<module>");
  EXPECT_EQ(strip_parameters("f.<locals>.<lambda>"), "f.<locals>.<lambda>");
  EXPECT_EQ(strip_parameters("libblas.so (native)"), "libblas.so (native)");
  EXPECT_EQ(strip_parameters("const"), "const");
  EXPECT_EQ(strip_parameters("is_const"), "is_const");
  EXPECT_EQ(strip_parameters(")(<>"), ")(<>");
}

TEST(GraphText, WrapName) {
  EXPECT_EQ(wrap_name("short, name"), "short,name");
  EXPECT_EQ(wrap_name("~:0:<built-in method builtins.__build_class__>"),
            "~:0:<built-in method builtins.\n__build_class__>");
  EXPECT_EQ(wrap_name("~:0:<method 'disable' of '_lsprof.Profiler' objects>"),
            "~:0:<method 'disable' of\n'_lsprof.Profiler' objects>");
  EXPECT_EQ(wrap_name(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(wrap_name(""), "");
}

TEST(GraphText, TimeFormat) {
  const auto format = [](std::string_view text, double value) {
    return TimeFormat::parse(text).value()(value);
  };
  EXPECT_EQ(format("%.7g", 1.23456789), "1.234568");
  EXPECT_EQ(format("%8.3f s", 1.5), "   1.500 s");
  EXPECT_EQ(format("100%% %+e", 1), "100% +1.000000e+00");
  EXPECT_EQ(TimeFormat()(0.1), "0.1");
  for (const char* wrong : {"", "s", "%", "%s", "%n", "%.999f", "%f%f", "%*f", "%lf", "%d"}) {
    EXPECT_FALSE(TimeFormat::parse(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace pyrometer
