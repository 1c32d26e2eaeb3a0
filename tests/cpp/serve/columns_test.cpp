#include "serve/columns.h"

#include <numeric>

#include "serve/read_columns.h"

namespace pyrometer {
namespace {

using testing::ReadColumns;

TEST(Columns, AreAlignedAndDescribed) {
  ColumnsWriter out;
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  const std::vector<std::uint16_t> small{7, 65535};
  const std::vector<std::int32_t> signs{-1, 5};
  const std::vector<float> fractions{0.5F};
  const std::vector<double> values{1.5, -2};
  out.add("a", std::span<const std::uint8_t>(bytes));
  out.add("b", std::span<const std::uint16_t>(small));
  out.add("c", std::span<const std::int32_t>(signs));
  out.add("d", std::span<const float>(fractions));
  out.add("e", std::span<const double>(values));
  out.add("empty", std::span<const double>());
  const ReadColumns read(out.take(R"({"x":1})"));
  EXPECT_EQ(read.meta()["x"], 1);
  EXPECT_EQ(read.get<std::uint8_t>("a"), bytes);
  EXPECT_EQ(read.get<std::uint16_t>("b"), small);
  EXPECT_EQ(read.get<std::int32_t>("c"), signs);
  EXPECT_EQ(read.get<float>("d"), fractions);
  EXPECT_EQ(read.numbers("e"), values);
  EXPECT_TRUE(read.numbers("empty").empty());
}

TEST(Columns, PackedOnesHaveTheirBytesInPlanes) {
  const std::vector<std::uint32_t> values{0x04030201, 0x08070605};
  ColumnsWriter out(true);
  out.add("a", std::span<const std::uint32_t>(values));
  const std::string file = out.take();
  EXPECT_EQ(file.substr(file.size() - 8), std::string("\1\5\2\6\3\7\4\10"));
  EXPECT_EQ(ReadColumns(file).rows("a"), values);
}

TEST(Columns, TextsAreMadeValid) {
  ColumnsWriter out;
  const std::vector<std::string_view> texts{"solve", "", "\xff", "\xed\xa0\x80", "</script>"};
  out.add_texts("text", texts);
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(ReadColumns(out.take()).texts("text"),
            (std::vector<std::string>{"solve", "", bad, bad + bad + bad, "</script>"}));
}

TEST(Columns, ManyPackedValuesAreScaledWithoutLosingTheirSum) {
  std::vector<double> values(200'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 1000) * 1e6;
  ColumnsWriter out(true);
  out.add_values("self:wall", values, Combine::kSum);
  const ReadColumns read(out.take(R"({"totals":{}})"));
  EXPECT_TRUE(read.meta().contains("totals"));
  const double scale = read.meta()["scale"]["self:wall"];
  const auto scaled = read.rows("self:wall");
  double sum = 0;
  double exact = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += scale * scaled[i];
    exact += values[i];
    ASSERT_LE(std::abs(sum - exact), scale) << i;
    ASSERT_TRUE(values[i] != 0 || scaled[i] == 0) << i;
  }
}

TEST(Columns, FewOrNegativeValuesStayAsTheyAre) {
  std::vector<double> values(200'000, 3);
  values[7] = -1;
  ColumnsWriter out(true);
  out.add_values("a", values, Combine::kSum);
  out.add_values("b", std::span<const double>(values).first(7), Combine::kSum);
  const ReadColumns read(out.take());
  EXPECT_FALSE(read.meta().contains("scale"));
  EXPECT_EQ(read.numbers("a"), values);
  EXPECT_EQ(read.numbers("b"), std::vector<double>(7, 3));
}

}  // namespace
}  // namespace pyrometer
