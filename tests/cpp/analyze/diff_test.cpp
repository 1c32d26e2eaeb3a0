#include "analyze/diff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyze/change_limit.h"
#include "analyze/diff_lines.h"
#include "analyze/diff_noise.h"
#include "analyze/file_match.h"

namespace pyrometer {
namespace {

CostTable table_of(std::vector<CostRow> rows, std::int64_t total, std::int64_t samples = 0) {
  return {.metric = {"wall", Unit::kNanoseconds},
          .is_sampled = samples > 0,
          .total = total,
          .samples = samples,
          .rows = std::move(rows)};
}

CostRow function(std::string name, std::int64_t value, std::uint32_t first_line = 1,
                 std::int64_t samples = 0) {
  return {.file = "a.py",
          .name = std::move(name),
          .first_line = first_line,
          .value = value,
          .samples = samples};
}

const DiffRow& row_of(const Diff& diff, std::string_view name) {
  for (const DiffRow& row : diff.rows) {
    if (row.name == name) return row;
  }
  static const DiffRow kNone;
  ADD_FAILURE() << name;
  return kNone;
}

// "0-0 1- -1": pairs of positions, * for edited ones.
std::string describe(const std::vector<LinePair>& pairs) {
  std::string text;
  for (const LinePair& pair : pairs) {
    if (pair.before) text += std::to_string(*pair.before);
    text += pair.is_edited ? '*' : '-';
    if (pair.after) text += std::to_string(*pair.after);
    text += ' ';
  }
  return text;
}

TEST(Diff, FunctionsAreKnownByFileAndNameNotByLine) {
  const Diff diff =
      make_diff({{table_of({function("f", 100, 10), function("g", 50, 20)}, 150)}},
                {{table_of({function("f", 130, 14), function("h", 5, 20)}, 135)}}, false);
  ASSERT_EQ(diff.rows.size(), 3U);
  const DiffRow& f = row_of(diff, "f");
  EXPECT_EQ(f.before, 100);
  EXPECT_EQ(f.after, 130);
  EXPECT_EQ(f.first_line, 14U);
  EXPECT_DOUBLE_EQ(*f.relative(), 0.3);
  EXPECT_TRUE(f.is_sure());  // exact
  EXPECT_FALSE(row_of(diff, "g").after);
  EXPECT_EQ(row_of(diff, "g").change(), -50);
  EXPECT_FALSE(row_of(diff, "h").before);
  EXPECT_FALSE(row_of(diff, "h").relative());
  EXPECT_EQ(diff.total.change(), -15);
  EXPECT_DOUBLE_EQ(*diff.total.relative(), -0.1);
}

TEST(Diff, FunctionsOfOneNameThatDidNotMoveComeFirst) {
  const Diff diff =
      make_diff({{table_of({function("<lambda>", 10, 3), function("<lambda>", 20, 9)}, 30)}},
                {{table_of({function("<lambda>", 1, 5), function("<lambda>", 22, 9)}, 23)}}, false);
  ASSERT_EQ(diff.rows.size(), 2U);
  EXPECT_EQ(diff.rows[0].before, 20);
  EXPECT_EQ(diff.rows[0].after, 22);
  EXPECT_EQ(diff.rows[1].before, 10);
  EXPECT_EQ(diff.rows[1].after, 1);
}

TEST(Diff, NamesOfCProfileAreTheLastPartsOfQualifiedOnes) {
  const CostTable cprofile = table_of({function("__init__", 10, 3), function("__init__", 20, 9),
                                       function("step", 30, 5), function("gone", 1, 7)},
                                      61);
  CostTable ours = table_of({function("B.__init__", 21, 9), function("Grid.<lambda>", 2, 8),
                             function("A.__init__", 11, 3), function("Grid.step", 33, 6)},
                            67);
  ours.has_qualified_names = true;
  const Diff diff = make_diff({{cprofile}}, {{ours}}, false);
  EXPECT_EQ(row_of(diff, "A.__init__").before, 10);
  EXPECT_EQ(row_of(diff, "B.__init__").before, 20);
  EXPECT_EQ(row_of(diff, "Grid.step").before, 30);  // moved
  EXPECT_FALSE(row_of(diff, "Grid.<lambda>").before);
  EXPECT_FALSE(row_of(diff, "gone").after);
  EXPECT_EQ(diff.rows.size(), 5U);
}

TEST(Diff, SharesAreComparedWhenNormalised) {
  const Diff diff = make_diff({{table_of({function("f", 100), function("g", 100, 5)}, 200)}},
                              {{table_of({function("f", 100), function("g", 300, 5)}, 400)}}, true);
  EXPECT_DOUBLE_EQ(diff.scale, 0.5);
  EXPECT_EQ(row_of(diff, "f").after, 50);
  EXPECT_EQ(row_of(diff, "g").after, 150);
  EXPECT_EQ(diff.total.change(), 0);
}

TEST(Diff, LinesFollowTheirTextThroughAnEdit) {
  const auto line = [](std::uint32_t first, std::uint32_t number, std::int64_t value) {
    return CostRow{.file = "a.py",
                   .name = "f",
                   .first_line = first,
                   .line = number,
                   .path = "x",
                   .value = value};
  };
  const std::map<std::uint32_t, std::string> old_text = {
      {11, "a = 1"}, {12, "b = f(a)"}, {13, "return b"}};
  const std::map<std::uint32_t, std::string> new_text = {
      {21, "import x"}, {22, "a = 1"}, {23, "b = f(a, 2)"}, {24, "return b"}};
  const Diff diff = make_diff(
      {{table_of({line(10, 11, 5), line(10, 12, 50), line(10, 13, 1)}, 56)},
       [&](const CostRow& row) { return old_text.at(row.line); }},
      {{table_of({line(20, 21, 9), line(20, 22, 5), line(20, 23, 70), line(20, 24, 1)}, 85)},
       [&](const CostRow& row) { return new_text.at(row.line); }},
      false);
  ASSERT_EQ(diff.rows.size(), 4U);
  EXPECT_FALSE(diff.rows[0].before);
  EXPECT_EQ(diff.rows[0].text, "import x");
  EXPECT_EQ(diff.rows[1].change(), 0);
  EXPECT_TRUE(diff.rows[2].is_edited);
  EXPECT_EQ(diff.rows[2].change(), 20);
  EXPECT_EQ(diff.rows[2].line, 23U);
  EXPECT_EQ(diff.rows[2].old_line, 12U);
  EXPECT_EQ(diff.rows[3].change(), 0);
}

TEST(Diff, SortedByWhatIsAskedFor) {
  Diff diff = make_diff(
      {{table_of({function("a", 100, 1), function("b", 10, 2), function("c", 50, 3)}, 160)}},
      {{table_of({function("a", 140, 1), function("b", 30, 2), function("d", 1, 4)}, 171)}}, false);
  const auto names = [&](DiffSort sort) {
    sort_rows(diff.rows, sort);
    std::string text;
    for (const DiffRow& row : diff.rows) text += row.name;
    return text;
  };
  EXPECT_EQ(names(DiffSort::kChange), "cabd");    // -50 +40 +20 +1
  EXPECT_EQ(names(DiffSort::kRelative), "dbca");  // new +200 % -100 % +40 %
  EXPECT_EQ(names(DiffSort::kBefore), "acbd");
  EXPECT_EQ(names(DiffSort::kAfter), "abdc");
  EXPECT_EQ(names(DiffSort::kName), "abcd");
}

TEST(DiffLines, ByTextWithEditedLinesBetweenEqualOnes) {
  const auto lines = [](std::initializer_list<const char*> texts) {
    std::vector<LineOfFunction> result;
    for (const char* text : texts) result.push_back({std::int64_t(result.size()), text});
    return result;
  };
  EXPECT_EQ(describe(match_lines(lines({"a", "b", "c"}), lines({"a", "b", "c"}))), "0-0 1-1 2-2 ");
  EXPECT_EQ(describe(match_lines(lines({"a", "c"}), lines({"a", "b", "c"}))), "0-0 -1 1-2 ");
  EXPECT_EQ(describe(match_lines(lines({"a", "x", "c"}), lines({"a", "y", "c"}))), "0-0 1*1 2-2 ");
  EXPECT_EQ(describe(match_lines(lines({"a", "x"}), lines({"y", "z", "a"}))), "-0 -1 0-2 1- ");
  EXPECT_EQ(describe(match_lines(lines({"p", "p", "q"}), lines({"p", "q"}))), "0-0 1- 2-1 ");
  EXPECT_EQ(describe(match_lines(lines({}), lines({"a"}))), "-0 ");
}

TEST(DiffLines, ByOffsetWhereNoTextIsKnown) {
  const std::vector<LineOfFunction> before = {{1}, {2}, {5}};
  const std::vector<LineOfFunction> after = {{1}, {3}, {5}};
  EXPECT_EQ(describe(match_lines(before, after)), "0-0 1- -1 2-2 ");
  // One side alone does not tell.
  const std::vector<LineOfFunction> texts = {{1, "a"}, {5, "b"}};
  EXPECT_EQ(describe(match_lines(before, texts)), "0-0 1- 2-1 ");
}

TEST(DiffLines, LongFunctionsAreBounded) {
  std::vector<LineOfFunction> before, after;
  for (std::int64_t i = 0; i < 3000; ++i) {
    before.push_back({i, std::to_string(i)});
    after.push_back({i, std::to_string(i + 1)});
  }
  EXPECT_EQ(match_lines(before, after).size(), 3000U);  // by offset
}

TEST(DiffNoise, OfSamplesAsTheExactTestSays) {
  const double ms = 1e6;
  const Estimate none = estimate(std::vector<Observation>{{0, 0, 5 * ms}});
  const auto seen = [&](double samples) {
    return estimate(std::vector<Observation>{{samples * 5 * ms, samples, 5 * ms}});
  };
  EXPECT_LT(seen(5).mean, margin_of_change(none, seen(5)));
  EXPECT_GT(seen(6).mean, margin_of_change(none, seen(6)));
  // 100 against 130 samples: 1.96 * 5 ms * sqrt(101 + 131)
  EXPECT_NEAR(margin_of_change(seen(100), seen(130)), 149.27 * ms, 0.01 * ms);
}

TEST(DiffNoise, ExactValuesHaveNone) {
  const Estimate a = estimate(std::vector<Observation>{{100, 0, 0}});
  EXPECT_EQ(margin_of_change(a, estimate(std::vector<Observation>{{101, 0, 0}})), 0);
}

TEST(DiffNoise, OfRunsThatDiffer) {
  // Means 11 and 15, variances of the means 1/3 each, t(4) = 2.776.
  const Estimate before = estimate(std::vector<Observation>{{10}, {11}, {12}});
  const Estimate after = estimate(std::vector<Observation>{{14}, {15}, {16}});
  EXPECT_DOUBLE_EQ(before.mean, 11);
  EXPECT_NEAR(margin_of_change(before, after), 2.776 * std::sqrt(2.0 / 3), 1e-9);
}

TEST(ChangeLimit, WordsAndWhatTheyMean) {
  const auto limit = [](const char* text) {
    return ChangeLimit::parse(text, Unit::kNanoseconds).value();
  };
  EXPECT_TRUE(limit("5%").is_relative);
  EXPECT_DOUBLE_EQ(limit("5%").value, 0.05);
  EXPECT_DOUBLE_EQ(limit("0.5s").value, 5e8);
  EXPECT_DOUBLE_EQ(limit("20 ms").value, 2e7);
  EXPECT_DOUBLE_EQ(limit("3us").value, 3000);
  EXPECT_DOUBLE_EQ(ChangeLimit::parse("1000", Unit::kCount)->value, 1000);
  for (const char* text : {"", "5", "fast", "-1%", "nan%", "1e999%", "5 %%", "2h"}) {
    EXPECT_FALSE(ChangeLimit::parse(text, Unit::kNanoseconds)) << text;
  }
  DiffRow row;
  row.before = 100;
  row.after = 106;
  EXPECT_TRUE(limit("5%").is_exceeded(row));
  EXPECT_FALSE(limit("6%").is_exceeded(row));
  EXPECT_TRUE(limit("5ns").is_exceeded(row));
  row.margin = 7;
  EXPECT_FALSE(limit("5%").is_exceeded(row));  // noise
  row.margin = 0;
  row.after = 50;
  EXPECT_FALSE(limit("0%").is_exceeded(row));  // faster
  row.before.reset();
  EXPECT_TRUE(limit("500%").is_exceeded(row));  // new
}

TEST(FileMatch, ByTheLongestCommonEnd) {
  const auto matched = match_files(
      {"/old/src/app/grid.py", "/old/src/app/util.py", "numpy/core.py", "only.py", "pkg/a.py"},
      {"/new/src/app/grid.py", "/new/lib/grid.py", "util.py", "numpy/core.py", "other/a.py"});
  EXPECT_EQ(matched.size(), 3U);
  EXPECT_EQ(matched.at("/old/src/app/grid.py"), "/new/src/app/grid.py");
  EXPECT_EQ(matched.at("/old/src/app/util.py"), "util.py");
  EXPECT_EQ(matched.at("numpy/core.py"), "numpy/core.py");
}

TEST(FileMatch, NoneOfSeveralThatWouldDo) {
  EXPECT_TRUE(match_files({"/x/a.py"}, {"/y/a.py", "/z/a.py"}).empty());
  EXPECT_TRUE(match_files({"/x/1/a.py", "/x/2/a.py"}, {"/y/a.py"}).empty());
}

}  // namespace
}  // namespace pyrometer
