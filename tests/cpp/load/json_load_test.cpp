// Which JSON is which, gprof2dot's and memray's files, our own export, and texts that are none.
#include "json_profiles.h"
#include "load/load.h"
#include "load/memray_csv.h"
#include "support/temporary_folder.h"

namespace pyrometer::testing {
namespace {

TEST(LoadJson, RecognisedByItsBeginning) {
  for (const char* text : {"{\"a\"", " \n{ }", "\xef\xbb\xbf[\n{", "{}"}) {
    EXPECT_TRUE(looks_like_json(text)) << text;
  }
  for (const char* text : {"", "{", "[unknown];main 3", "12", "\"a\"", "{(", "[["}) {
    EXPECT_FALSE(looks_like_json(text)) << text;
  }
}

TEST(LoadJson, OtherJsonIsNamed) {
  const std::string sentence = refusal(R"({"a":1})");
  for (const char* word : {"speedscope", "Chrome", "Firefox", "gprof2dot", "memray"}) {
    EXPECT_NE(sentence.find(word), std::string::npos) << sentence;
  }
  EXPECT_EQ(refusal("[1,2]"), sentence);
  EXPECT_NE(refusal(R"({"type":"meta","v":0,"run_id":"a"})").find("--gecko"), std::string::npos);
}

TEST(LoadJson, BrokenTextsSayWhere) {
  EXPECT_EQ(refusal(R"({"shared":)"), "the JSON text ends early, at byte 10; it was cut");
  EXPECT_EQ(refusal(R"({"a":NaN})").substr(0, 17), "byte 5: not JSON ");
  EXPECT_EQ(refusal("{} {}"), "byte 3: there is more text behind the end of the JSON value");
  EXPECT_EQ(refusal("\xef\xbb\xbf{x").substr(0, 17), "byte 4: not JSON ");
  EXPECT_NE(refusal("{\"a\":" + std::string(1'000'000, '[')).find("deeper than 200 levels"),
            std::string::npos);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(refusal(objects).find("deeper than 200 levels"), std::string::npos);
}

TEST(LoadJson, TextsOfOtherEncodingsLoad) {
  const Profile profile =
      load_text("\xef\xbb\xbf[{\"ph\":\"X\",\"name\":\"\xff\\u00e9\",\"ts\":1}]");
  EXPECT_EQ(profile.text(profile.functions[0].name), "\xff\xc3\xa9");
}

TEST(LoadJson, FilesAreRecognisedAndNamed) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "good", R"([{"ph":"X","name":"a","ts":0,"dur":1}])"));
  const auto profile = load_file(folder / "good", Detail::kValues);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->processes[0].source, "good");
  ASSERT_TRUE(write_file(folder / "bad", R"({"profiles":[)"));
  const auto refused = load_file(folder / "bad", Detail::kValues);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("bad': the JSON text ends early"), std::string::npos);
}

TEST(LoadJson, Gprof2dotChainsBeginInside) {
  const Profile profile = load_text(R"({"version":0,
    "functions":[{"name":"f","module":"/w/a.py"},{"name":"main"}],
    "costs":[{"description":"Memory","unit":"bytes"},{"description":"Time","unit":"ms"}],
    "events":[{"callchain":[0,1],"cost":[10,2]},{"callchain":[1],"cost":[5]},
              {"callchain":[],"cost":[1]}]})");
  EXPECT_EQ(values_of(profile, "allocated"), (Values{{"main", 5}, {"main;f", 10}}));
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"main;f", 2'000'000}}));
  EXPECT_EQ(place_of(profile, "f"), "python /w/a.py:0");
  EXPECT_EQ(refusal(R"({"functions":[],"costs":[{}],"events":[{"callchain":[0],"cost":[1]}]})"),
            "event 0 of this gprof2dot file has a function that is not in the table");
}

TEST(LoadJson, MemrayStatistics) {
  const Profile profile = load_text(R"({"total_num_allocations":100,"total_bytes_allocated":5000,
    "top_allocations_by_size":[{"location":"f:/w/a.py:12","size":4000},
                               {"location":"<stack trace unavailable>","size":600}],
    "top_allocations_by_count":[{"location":"f:/w/a.py:12","count":100}]})");
  EXPECT_EQ(values_of(profile, "allocated"),
            (Values{{"f@12", 4'000}, {"<stack trace unavailable>", 600}, {"other places", 400}}));
  EXPECT_EQ(values_of(profile, "allocations"), (Values{{"f@12", 100}}));
}

TEST(LoadMemrayCsv, StacksOfThreads) {
  const std::string titles = "allocator,num_allocations,size,tid,thread_name,stack_trace\r\n";
  const auto profile = load_memray_csv(
      titles +
      "MALLOC,2,300,1,0x1 (MainThread),f;/w/a.py;3|\"\r\n"
      "\"MALLOC\",1,50,2,\"worker, \"\"x\"\"\",op||;l.so;0|f;/w/a.py;3|main;/w/a.py;9\r\n"
      "MMAP,1,7,2,w,\r\n");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().message, "row 2 of this CSV file of memray is not sound");
  const auto sound = load_memray_csv(
      titles +
      "MALLOC,2,300,1,0x1 (MainThread),f;/w/a.py;3|main;/w/a.py;9\r\n"
      "\"MALLOC\",1,50,2,\"worker, \"\"x\"\"\",op||;l.so;0|f;/w/a.py;3|main;/w/a.py;9\r\n"
      "MMAP,1,7,2,\"worker, \"\"x\"\"\",\r\n");
  ASSERT_TRUE(sound) << sound.error().message;
  EXPECT_EQ(values_of(*sound, "allocated"),
            (Values{{"main@9;f@3", 300}, {"main@9;f@3;op||", 50}, {"without a stack", 7}}));
  EXPECT_EQ(values_of(*sound, "allocations")["main@9;f@3"], 2);
  EXPECT_EQ(sound->text(sound->threads[1].name), "worker, \"x\"");
}

constexpr std::string_view kOwn = R"({{"schema_version":1,"kind":"pyrometer-profile","sampled":true,
  "paths_estimated":false,"functions":[{{"name":"f","qualified_name":"C.f","file":"/w/a.py",
  "module_file":"a.py","line":3,"kind":"python","id":"x"}}],
  "nodes":[{{"parent":null,"function":0,"line":4,"id":"x"}},{{"parent":{},"function":0,"line":5}}],
  "processes":[{{"rank":2,"host":"h","pid":9,"start_ns":1,"duration_ns":8,"source":"r.pyr"}}],
  "threads":[{{"process":0,"name":"t","tid":10,"class":"python"}}],
  "metrics":[{{"name":"wall","unit":"ns","combine":"sum","values":[{}],"lines":[[0,0,4,11]],
              "edges":[[0,null,0,5,6]]}}]}})";

TEST(LoadJson, OurOwnExport) {
  const Profile profile = load_text(fmt::format(fmt::runtime(kOwn), 0, "[0,0,3],[0,1,4]"));
  EXPECT_EQ(values_of(profile, "wall"), (Values{{"C.f@4", 3}, {"C.f@4;C.f@5", 4}}));
  EXPECT_TRUE(profile.is_sampled);
  EXPECT_EQ(profile.processes[0].rank, 2);
  EXPECT_EQ(profile.processes[0].source, "r.pyr");
  EXPECT_EQ(profile.threads[0].thread_class, ThreadClass::kPython);
  ASSERT_EQ(profile.line_values.size(), 1U);
  EXPECT_EQ(profile.line_values[0].value, 11);
  ASSERT_EQ(profile.flat_values.size(), 1U);
  EXPECT_EQ(profile.flat_values[0].total, 6);
  const auto broken = [](const char* parent, const char* values) {
    return refusal(fmt::format(fmt::runtime(kOwn), parent, values));
  };
  const std::string end = " of this JSON profile is not sound";
  EXPECT_EQ(broken("1", ""), "row 1 of the table 'nodes'" + end);
  EXPECT_EQ(broken("-1", ""), "row 1 of the table 'nodes'" + end);
  EXPECT_EQ(broken("0", "[0,2,1]"), "row 0 of the table 'metrics'" + end);
  EXPECT_EQ(broken("0", "[0,0]"), "row 0 of the table 'metrics'" + end);
  EXPECT_EQ(broken("0", "[0,0,1.5]"), "row 0 of the table 'metrics'" + end);
  EXPECT_NE(refusal(R"({"kind":"pyrometer-profile","schema_version":2})").find("newer Pyrometer"),
            std::string::npos);
}

TEST(LoadJson, ManyThreadsAreRefused) {
  std::string text = "[";
  for (int i = 0; i <= 10'000; ++i) {
    text += fmt::format(R"({{"ph":"X","name":"a","tid":{},"ts":1}},)", i);
  }
  EXPECT_EQ(refusal(text + "]"), "it has more than 10000 threads");
}

}  // namespace
}  // namespace pyrometer::testing
