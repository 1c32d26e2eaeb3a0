#include <algorithm>
#include <numeric>

#include "serve/view_of.h"
#include "support/profile_of_stacks.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

using namespace testing;
using Rows = std::vector<std::uint32_t>;
using Numbers = std::vector<double>;
constexpr double kS = 1e9;

ProfileVersions timed() { return {view_of(TimedProfile().finish())}; }

TEST(TablesAnswer, PositionsComeSubtreeBySubtreeTheHeaviestFirst) {
  const ProfileVersions profiles = {view_of(profile_of_stacks(
      {{"a:1", 1}, {"b:1;c:2", 5}, {"b:1;d:3", 7}, {"b:1;d:3;e:4", 1}, {"b:1", 2}}))};
  const ReadColumns tables = ask_columns(profiles, "api/0/tables");
  const auto texts = tables.texts("text");
  std::vector<std::string> names;
  for (const std::uint32_t function : tables.rows("node.function")) {
    names.push_back(texts[tables.rows("function.name")[function]]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"b", "d", "e", "c", "a"}));
  EXPECT_EQ(tables.rows("node.up"), (Rows{0, 1, 1, 3, 0}));
  EXPECT_EQ(tables.rows("node.line"), (Rows{1, 3, 4, 2, 1}));
  const ReadColumns values = ask_columns(profiles, "api/0/values?metric=wall");
  EXPECT_EQ(values.numbers("self:wall"), (Numbers{2, 7, 1, 5, 1}));
  EXPECT_EQ(values.meta()["totals"]["wall"], 16);
}

TEST(TablesAnswer, HasTheFilesThreadsAndProcesses) {
  const ReadColumns tables = ask_columns(timed(), "api/0/tables");
  const auto texts = tables.texts("text");
  EXPECT_EQ(texts[tables.rows("file.name")[0]], "wave.py");
  EXPECT_EQ(texts[tables.rows("file.path")[0]], "/home/me/wave.py");
  EXPECT_EQ(tables.rows("function.file"), (Rows{0, 0}));
  EXPECT_EQ(texts[tables.rows("function.module")[1]], "wave");
  EXPECT_EQ(tables.get<std::uint8_t>("function.origin"), (std::vector<std::uint8_t>{0, 0}));
  EXPECT_EQ(tables.rows("thread.process"), (Rows{0, 1}));
  EXPECT_EQ(tables.numbers("thread.start"), (Numbers{0, 1}));
  EXPECT_EQ(tables.numbers("thread.end"), (Numbers{4, 2}));
  EXPECT_EQ(tables.get<std::int32_t>("process.rank"), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(tables.numbers("process.start"), (Numbers{0, 1}));
  EXPECT_EQ(tables.numbers("process.duration"), (Numbers{4, 1}));
  EXPECT_EQ(texts[tables.rows("process.host")[1]], "node1");
}

TEST(TablesAnswer, EmptyProfilesHaveEmptyTables) {
  const ReadColumns tables = ask_columns({view_of(Profile())}, "api/0/tables");
  EXPECT_TRUE(tables.rows("node.up").empty());
  EXPECT_TRUE(tables.texts("text").empty());
}

TEST(TablesAnswer, IsTheSamePackedOrNot) {
  const ProfileVersions profiles = timed();
  const ReadColumns plain(ask(profiles, "api/0/tables").body);
  const ReadColumns packed(ask(profiles, "api/0/tables", true).body);
  for (const char* name : {"node.up", "node.function", "thread.end", "text.bytes"}) {
    EXPECT_EQ(plain.bytes(name), packed.bytes(name)) << name;
  }
}

// Rows of the view: main:1, solve:10, solve:11, main:2.
TEST(ValuesAnswer, OfEverythingAreDense) {
  const ReadColumns values = ask_columns(timed(), "api/0/values?metric=wall,native");
  EXPECT_FALSE(values.has("node"));
  EXPECT_EQ(values.numbers("self:wall"), (Numbers{0, 3 * kS, kS, kS}));
  EXPECT_EQ(values.numbers("self:native"), (Numbers{0, 1.2 * kS, 0.4 * kS, 0.4 * kS}));
  EXPECT_EQ(values.meta()["totals"]["wall"], 5 * kS);
}

TEST(ValuesAnswer, OfOneProcessOrThread) {
  const ProfileVersions profiles = timed();
  for (const char* scope : {"processes=1", "threads=1", "threads=0-1&processes=1"}) {
    const ReadColumns values =
        ask_columns(profiles, std::string("api/0/values?metric=wall&") + scope);
    EXPECT_EQ(values.numbers("self:wall"), (Numbers{0, 0, kS, 0})) << scope;
  }
  EXPECT_EQ(ask_columns(profiles, "api/0/values?threads=0").numbers("self:wall"),
            (Numbers{0, 3 * kS, 0, kS}));
}

TEST(ValuesAnswer, OfARangeOfTimeCountPartsOfSamples) {
  const ProfileVersions profiles = timed();
  // Process 1 runs from 1 s to 2 s; at 1.25 s a sample is half over in both.
  const ReadColumns values =
      ask_columns(profiles, "api/0/values?metric=wall,python,samples&from=0.5&to=1.25");
  EXPECT_EQ(values.numbers("self:wall"), (Numbers{0, 0.75 * kS, 0.25 * kS, 0}));
  EXPECT_EQ(values.numbers("self:python"), (Numbers{0, 0.45 * kS, 0.15 * kS, 0}));
  EXPECT_EQ(values.numbers("self:samples"), (Numbers{0, 2, 1, 0}));
  EXPECT_EQ(ask_columns(profiles, "api/0/values?from=3.5&processes=0").numbers("self:wall"),
            (Numbers{0, 0, 0, 0.5 * kS}));
  EXPECT_EQ(ask_columns(profiles, "api/0/values?from=2&to=1").meta()["totals"]["wall"], 0);
}

TEST(ValuesAnswer, OfARegionAreOfItsThreadOnly) {
  const ReadColumns values = ask_columns(timed(), "api/0/values?region=step");
  EXPECT_EQ(values.numbers("self:wall"), (Numbers{0, kS, 0, 0.5 * kS}));
}

TEST(ValuesAnswer, NarrowScopesAreSparse) {
  std::vector<Stack> stacks;
  for (int i = 0; i < 40; ++i) stacks.push_back({"f" + std::to_string(i), 10});
  Profile profile = profile_of_stacks(stacks);
  ProfileBuilder builder;
  builder.add_profile(profile);
  builder.add_profile(profile_of_stacks({{"f7", 3}, {"f9", 4}}));
  const ProfileVersions profiles = {view_of(builder.finish())};
  const ReadColumns values = ask_columns(profiles, "api/0/values?metric=wall&processes=1");
  EXPECT_EQ(values.rows("node").size(), 2U);
  const Numbers self = values.numbers("self:wall");
  EXPECT_EQ(self[0] + self[1], 7);
}

TEST(ValuesAnswer, RefusesWhatMakesNoSense) {
  const ProfileVersions profiles = timed();
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?metric=nothing").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?threads=2").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?threads=1-").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?processes=x").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?from=nan").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?to=1e300").first, 400);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values?region=none").first, 404);
  EXPECT_EQ(ask_in_vain(profiles, "api/7/values").first, 404);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/nothing").first, 404);
  EXPECT_EQ(ask_in_vain(profiles, "").first, 404);
  EXPECT_EQ(ask_in_vain(profiles, "api/0/values/..").first, 404);
  const ProfileVersions timeless = {view_of(profile_of_stacks({{"a:1", 1}}))};
  const auto [status, sentence] = ask_in_vain(timeless, "api/0/values?from=1");
  EXPECT_EQ(status, 409);
  EXPECT_TRUE(sentence.ends_with('.'));
  EXPECT_EQ(ask_in_vain({view_of(Profile())}, "api/0/values").first, 409);
}

TEST(ValuesAnswer, WaitsForWhatIsStillBeingRead) {
  std::promise<Result<SharedProfile>> reading;
  const auto summary = std::make_shared<const Profile>(TimedProfile().finish());
  const ProfileVersions profiles = {
      {.profile = std::make_shared<const ViewedProfile>(ProfileTitle{.name = "job.pyro"}, summary,
                                                        reading.get_future().share())}};
  EXPECT_EQ(ask_columns(profiles, "api/0/values").numbers("self:wall").size(), 4U);
  auto asked = std::async(std::launch::async,
                          [&] { return ask_in_vain(profiles, "api/0/values?threads=0"); });
  reading.set_value(fail(ErrorCode::kTooLarge, "more than 5 values cannot be held"));
  EXPECT_EQ(asked.get(), (std::pair<int, std::string>{409, "more than 5 values cannot be held"}));
}

// The regions of the first process begin in main: from 1 s to 2 s in solve, from 3 s to 3.5 s.
ProfileVersions with_openers() {
  Profile profile = TimedProfile().finish();
  for (Region& region : profile.regions) region.opener = FunctionId(0);
  return {view_of(std::move(profile))};
}

TEST(RegionPaths, AreTablesAndValuesOfTheirOwn) {
  const ProfileVersions profiles = with_openers();
  EXPECT_TRUE(ask_json(profiles, "api/0/summary")["has"]["region_paths"]);
  const ReadColumns tables = ask_columns(profiles, "api/0/regions/tables");
  const auto texts = tables.texts("text");
  const Rows names = tables.rows("function.name");
  ASSERT_EQ(names.size(), 3U);  // main, solve, and behind them
  EXPECT_EQ(texts[names[2]], "[step]");
  EXPECT_EQ(tables.get<std::uint8_t>("function.kind").at(2), 4);
  // solve below main; main at its second line; below both the region.
  const Rows functions = tables.rows("node.function");
  EXPECT_EQ(std::count(functions.begin(), functions.end(), 2U), 2);
  const ReadColumns all = ask_columns(profiles, "api/0/regions/values?metric=wall");
  const Numbers self = all.numbers("self:wall");
  EXPECT_EQ(std::accumulate(self.begin(), self.end(), 0.0), 5 * kS);
  EXPECT_EQ(all.meta()["totals"]["wall"], 5 * kS);
  EXPECT_EQ(ask_columns(profiles, "api/0/regions/samples?thread=0").numbers("time"),
            (Numbers{0, 1, 2, 3, 3.5}));
  const ReadColumns part = ask_columns(profiles, "api/0/regions/values?metric=wall&from=0&to=2");
  EXPECT_EQ(part.meta()["totals"]["wall"], 3 * kS);
}

TEST(RegionPaths, AreRefusedWhereNothingIsKnownOfThem) {
  EXPECT_FALSE(ask_json(timed(), "api/0/summary")["has"]["region_paths"]);
  EXPECT_EQ(ask_in_vain(timed(), "api/0/regions/tables").first, 409);
  EXPECT_EQ(ask_in_vain(timed(), "api/0/others/tables").first, 404);
  EXPECT_EQ(ask_in_vain(with_openers(), "api/0/regions/nothing").first, 404);
}

}  // namespace
}  // namespace pyrometer
