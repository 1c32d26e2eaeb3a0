#include <gtest/gtest.h>

#include "formats/tau_metadata.h"
#include "formats/tau_metric_names.h"
#include "formats/tau_names.h"
#include "formats/tau_profile.h"

using namespace pyrometer;

namespace {

constexpr const char* kText =
    "3 templated_functions_MULTI_TIME\n"
    "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Metric Name</name>"
    "<value>TIME</value></attribute><attribute><name>Command &amp; Line</name>"
    "<value>a &lt; b&#xa;c</value></attribute></metadata>\n"
    "\".TAU application\" 1 2 100 400 0 GROUP=\"TAU_DEFAULT\" \n"
    "\"say \"hi\"()  \" 2 0 300.5 300.5 0 GROUP=\"MPI | TAU_USER\" \n"
    "\".TAU application => say \"hi\"()  \" 2 0 300.5 300.5 0 GROUP=\"TAU_CALLPATH|MPI\" \n"
    "0 aggregates\n"
    "1 userevents\n"
    "# eventname numevents max min mean sumsqr\n"
    "\"Message size\" 2 8 4 6 80\n";

TauProfile read(std::string_view text, TauPlace place = {}) {
  TauTextReader reader;
  const auto added = reader.add(text, place);
  EXPECT_TRUE(added) << added.error().message;
  return reader.take();
}

std::string error_of(std::string_view text) {
  TauTextReader reader;
  const auto added = reader.add(text, {});
  return added ? "" : added.error().message;
}

}  // namespace

TEST(TauText, FunctionsPathsMetadataAndEvents) {
  const TauProfile tau = read(kText, {1, 0, 2});
  EXPECT_EQ(tau.metrics, std::vector<std::string>{"TIME"});
  EXPECT_EQ(tau.functions,
            (std::vector<TauFunction>{{".TAU application", "TAU_DEFAULT"},
                                      {"say \"hi\"()", "MPI|TAU_USER"},
                                      {".TAU application => say \"hi\"()", "TAU_CALLPATH|MPI"}}));
  ASSERT_EQ(tau.threads.size(), 1U);
  const TauThread& thread = tau.threads[0];
  EXPECT_EQ(thread.place, (TauPlace{1, 0, 2}));
  EXPECT_EQ(thread.rows[1], (TauRow{1, 2, 0}));
  EXPECT_EQ(thread.value(0, 0), (TauValue{100, 400}));
  EXPECT_EQ(thread.metadata, (TauMetadata{{"Command & Line", "a < b\nc"}}));
  EXPECT_EQ(thread.events, (std::vector<TauEvent>{{0, 2, 8, 4, 6, 80}}));
}

TEST(TauText, WrittenAndReadAgainIsTheSame) {
  const TauProfile tau = read(kText);
  const TauProfile again = read(write_tau_text(tau, tau.threads[0], 0));
  EXPECT_EQ(again.functions, tau.functions);
  EXPECT_EQ(again.threads[0].rows, tau.threads[0].rows);
  EXPECT_EQ(again.threads[0].values, tau.threads[0].values);
  EXPECT_EQ(again.threads[0].metadata, tau.threads[0].metadata);
  EXPECT_EQ(again.threads[0].events, tau.threads[0].events);
}

TEST(TauText, GroupsAreWhatTheLastQuotesHold) {
  const TauProfile tau = read(
      "2 templated_functions\n# Name\n\"f GROUP=\"x\"\" 1 0 5 5 0 GROUP=\"A | GRO UP=\" \n"
      "\"g\" 1 0 5 5 0\n0 aggregates\n");
  EXPECT_EQ(tau.functions, (std::vector<TauFunction>{{"f GROUP=\"x\"", "A|GROUP="}, {"g", ""}}));
  EXPECT_EQ(read(write_tau_text(tau, tau.threads[0], 0)).functions, tau.functions);
}

// An event that never happened has the largest double for its least value, and no mean.
TEST(TauText, ValuesThatNoDoubleHolds) {
  const TauProfile tau = read(
      "1 templated_functions\n# Name\n\"f\" 1 0 1E+400 NAN 0 GROUP=\"A\"\n0 aggregates\n"
      "1 userevents\n# eventname\n\"e\" 0 -1.797693134862316E+308 1.797693134862316E+308 -NAN "
      "1E-400\n");
  EXPECT_EQ(tau.threads[0].values[0][0], (TauValue{1e290, 0}));
  EXPECT_EQ(tau.threads[0].events, (std::vector<TauEvent>{{0, 0, -1e290, 1e290, 0, 0}}));
  EXPECT_EQ(read(write_tau_text(tau, tau.threads[0], 0)).threads[0].events, tau.threads[0].events);
}

TEST(TauText, MetricsOfOneThreadAndRowsOfOneNameAreJoined) {
  TauTextReader reader;
  const std::string time =
      "2 templated_functions_MULTI_TIME\n# Name\n\"f\" 1 0 5 5 0 GROUP=\"A\"\n"
      "\"f\" 2 1 6 7 0 GROUP=\"A\"\n0 aggregates\n";
  const std::string cycles =
      "2 templated_functions_MULTI_PAPI_TOT_CYC\n# Name\n\"g\" 9 0 1 1 0 GROUP=\"A\"\n"
      "\"f\" 3 1 40 50 0 GROUP=\"A\"\n0 aggregates\n";
  ASSERT_TRUE(reader.add(time, {}));
  ASSERT_TRUE(reader.add(cycles, {}));
  const TauProfile tau = reader.take();
  EXPECT_EQ(tau.metrics, (std::vector<std::string>{"TIME", "PAPI_TOT_CYC"}));
  ASSERT_EQ(tau.threads[0].rows.size(), 2U);
  EXPECT_EQ(tau.threads[0].rows[0], (TauRow{0, 3, 1}));
  EXPECT_EQ(tau.threads[0].value(0, 0), (TauValue{11, 12}));
  EXPECT_EQ(tau.threads[0].value(1, 0), (TauValue{40, 50}));
  EXPECT_EQ(tau.threads[0].value(0, 1), (TauValue{0, 0}));
}

TEST(TauText, Errors) {
  EXPECT_EQ(error_of("hello\n"), "line 1 is not the head of a TAU profile");
  EXPECT_EQ(error_of("1 templated_functions\n\"f\" 1\n"),
            "line 2 does not name the columns of a TAU profile");
  EXPECT_EQ(error_of("1 templated_functions\n# Name\n\"f\" 1 x 3 4 0\n"),
            "line 3 is no function of TAU");
  EXPECT_EQ(error_of("1 templated_functions\n# Name\n\"f\" 1 2 3 4 0 GROUP=\"TAU_US\n"),
            "line 3 is no function of TAU");
  EXPECT_EQ(error_of("1 templated_functions\n# Name\n\"f\" 1 2 3 4 0 \"TAU_USER\"\n"),
            "line 3 is no function of TAU");
  EXPECT_NE(error_of("9999999999 templated_functions\n# Name\n").find("ends after 0 of 9999999999"),
            std::string::npos);
}

TEST(TauText, NamesOfFiles) {
  TauPlace place;
  EXPECT_TRUE(parse_tau_file_name("profile.12.0.3", place));
  EXPECT_EQ(place, (TauPlace{12, 0, 3}));
  for (const char* name : {"profile", "profile.1.2", "profile.1.2.3.4", "profile.-1.0.0",
                           "profile.a.0.0", "myprofile.0.0.0"}) {
    EXPECT_FALSE(parse_tau_file_name(name, place)) << name;
  }
  EXPECT_EQ(tau_metric_folder("A/B:C D"), "MULTI__A_B_C_D");
}

TEST(TauNames, SourcesMarksAndPaths) {
  const TauFrame main = parse_tau_frame("int main(int, char **) C [{main.c} {5,1}-{17,1}]  ");
  EXPECT_EQ(main.name, "int main(int, char **)");
  EXPECT_EQ(main.file, "main.c");
  EXPECT_EQ(main.line, 5U);
  EXPECT_EQ(parse_tau_frame("solve [{wave.py}{12}]").line, 12U);
  const TauFrame sample = parse_tau_frame("[SAMPLE] dot [{/src/dot.c} {7}]");
  EXPECT_EQ(sample.kind, TauFrameKind::kSample);
  EXPECT_EQ(sample.name, "dot");
  const TauFrame unwind = parse_tau_frame("[UNWIND] /src/main.c.23 [@] solve [{/src/solve.c} {7}]");
  EXPECT_EQ(unwind.kind, TauFrameKind::kUnwind);
  EXPECT_EQ(unwind.name, "solve");
  EXPECT_EQ(unwind.file, "/src/solve.c");
  EXPECT_EQ(parse_tau_frame("[SAMPLE] UNRESOLVED /lib/libc.so").name, "UNRESOLVED /lib/libc.so");
  EXPECT_EQ(split_tau_path("a  =>  b()   => c"), (std::vector<std::string_view>{"a", "b()", "c"}));
  EXPECT_EQ(split_tau_path("operator=>(int)").size(), 1U);
}

TEST(TauNames, MetricsBothWays) {
  EXPECT_EQ(read_tau_metric_name("TIME").name, "wall");
  EXPECT_EQ(read_tau_metric_name("Time").unit, Unit::kNanoseconds);
  EXPECT_EQ(read_tau_metric_name("P_VIRTUAL_TIME").name, "cpu");
  EXPECT_EQ(read_tau_metric_name("PAPI_TOT_CYC").name, "PAPI_TOT_CYC");
  EXPECT_EQ(read_tau_metric_name("PAPI_TOT_CYC").unit, Unit::kCount);
  for (const char* name : {"wall", "cpu", "gil-wait", "mpi"}) {
    const std::string tau = write_tau_metric_name(name, Unit::kNanoseconds);
    EXPECT_EQ(read_tau_metric_name(tau).name, name) << tau;
    EXPECT_EQ(read_tau_metric_name(tau).unit, Unit::kNanoseconds) << tau;
  }
}

TEST(Ppk, WrittenAndReadAgainIsTheSame) {
  TauProfile tau = read(kText, {3, 0, 1});
  tau.functions[1].name = std::string("z\0 \xf0\x9f\x8c\x8a", 8);
  tau.metadata = {{"Trial", "1"}};
  const std::string bytes = write_ppk(tau).value();
  EXPECT_TRUE(looks_like_ppk(bytes));
  // As ParaProf writes it: the cookie in two bytes each, version 2, oldest reader 1.
  EXPECT_EQ(bytes.substr(0, 14), std::string("\0P\0P\0K\0\0\0\2\0\0\0\1", 14));
  const auto again = read_ppk(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->functions, tau.functions);
  EXPECT_EQ(again->metadata, tau.metadata);
  EXPECT_EQ(again->events, tau.events);
  EXPECT_EQ(again->threads[0].place, tau.threads[0].place);
  EXPECT_EQ(again->threads[0].rows, tau.threads[0].rows);
  EXPECT_EQ(again->threads[0].values, tau.threads[0].values);
  EXPECT_EQ(again->threads[0].metadata, tau.threads[0].metadata);
  EXPECT_EQ(again->threads[0].events, tau.threads[0].events);
}

TEST(Ppk, CutAnywhereIsAnError) {
  const std::string bytes = write_ppk(read(kText)).value();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(read_ppk(std::string_view(bytes).substr(0, cut))) << cut;
  }
}

TEST(Ppk, NamesThatAreTooLongAreRefused) {
  TauProfile tau = read(kText);
  tau.functions[0].name = std::string(70'000, 'x');
  const auto refused = write_ppk(tau);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(Ppk, GroupsAreNotRepeatedWithoutEnd) {
  TauProfile tau = read(kText);
  tau.functions.assign(100, {"f", std::string(60'000, 'g')});
  const auto some = read_ppk(write_ppk(tau).value());
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->functions, tau.functions);
  tau.functions.resize(1000, tau.functions[0]);
  const auto refused = read_ppk(write_ppk(tau).value());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(Ppk, MetricsAreLimited) {
  TauProfile tau = read(kText);
  tau.metrics.resize(257, "M");
  const auto refused = read_ppk(write_ppk(tau).value());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "there are more than 256 metrics");
}
