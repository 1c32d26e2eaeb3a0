#include <gtest/gtest.h>

#include "base/gzip.h"
#include "serve/base64.h"
#include "serve/embedded_page.h"
#include "serve/page_file.h"
#include "serve/view_of.h"
#include "serve/view_service.h"
#include "support/profile_of_stacks.h"
#include "support/timed_profile.h"

namespace pyrometer {
namespace {

using namespace testing;

std::string decode_base64(std::string_view text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6) | static_cast<std::uint32_t>(digits.find(c));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8));
  }
  return bytes;
}

ReadColumns data_of(const std::string& page) {
  const std::string opening = "<script type=\"application/x-pyrometer\" id=\"pyrometer-data\">";
  const std::size_t begin = page.find(opening);
  EXPECT_NE(begin, std::string::npos);
  const std::size_t end = page.find("</script>", begin);
  const std::size_t from = begin + opening.size();
  const auto columns = inflate_gzip(decode_base64(page.substr(from, end - from)), 1U << 30);
  EXPECT_TRUE(columns);
  return ReadColumns(*columns);
}

TEST(Base64, IsAsTheStandardSays) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Page, CarriesTheAnswersAsTheServerGivesThem) {
  const ProfileVersions profiles = {view_of(TimedProfile().finish())};
  const auto page = make_page(profiles, {});
  ASSERT_TRUE(page);
  const ReadColumns data = data_of(*page);
  const auto& answers = data.meta()["answers"];
  for (const char* request :
       {"api/profiles", "api/0/summary", "api/0/tables",
        "api/0/values?metric=wall,python,native,samples",
        "api/0/values?metric=wall,python,native,samples&threads=1", "api/0/functions?metric=wall",
        "api/0/ranks?metric=wall&by=total&most=100", "api/0/timeline?by=thread&buckets=1000",
        "api/0/samples?thread=1&metric=wall,python,native"}) {
    ASSERT_TRUE(answers.contains(request)) << request;
    const std::string& bytes = data.bytes(answers[request]["column"]);
    EXPECT_EQ(bytes, ask(profiles, request, true).body) << request;
    const bool is_json = answers[request]["type"] == "json";
    EXPECT_EQ(is_json, bytes.starts_with('{')) << request;
  }
  EXPECT_FALSE(answers.contains("api/0/calls?metric=wall"));
}

TEST(Page, HasPathsWithRegionsWhereTheyAreKnown) {
  Profile profile = TimedProfile().finish();
  for (Region& region : profile.regions) region.opener = FunctionId(0);
  const auto with = make_page({view_of(std::move(profile))}, {});
  const auto without = make_page({view_of(TimedProfile().finish())}, {});
  ASSERT_TRUE(with && without);
  for (const char* request :
       {"api/0/regions/tables", "api/0/regions/values?metric=wall,python,native,samples&threads=1",
        "api/0/regions/samples?thread=0&metric=wall,python,native"}) {
    EXPECT_TRUE(data_of(*with).meta()["answers"].contains(request)) << request;
    EXPECT_FALSE(data_of(*without).meta()["answers"].contains(request)) << request;
  }
}

TEST(Page, HasTheSameBytesAgain) {
  const auto make = [] { return make_page({view_of(TimedProfile().finish())}, {}); };
  EXPECT_EQ(make().value(), make().value());
}

TEST(Page, HasSourcesUnlessTheyAreNotWanted) {
  const auto profiles = [] {
    TimedProfile timed;
    timed.builder.profile().sources[timed.builder.string("/home/me/wave.py")] = {
        false, "</script><img onerror=alert(1)>"};
    return ProfileVersions{view_of(timed.finish())};
  };
  const auto with = make_page(profiles(), {});
  const auto without = make_page(profiles(), {.without_sources = true});
  ASSERT_TRUE(with && without);
  EXPECT_TRUE(data_of(*with).meta()["answers"].contains("api/0/source?file=0"));
  EXPECT_FALSE(data_of(*without).meta()["answers"].contains("api/0/source?file=0"));
  EXPECT_EQ(with->find("onerror=alert"), std::string::npos);
}

TEST(Page, ComparesItsProfiles) {
  const auto page =
      make_page({view_of(TimedProfile().one_process()), view_of(TimedProfile().finish())}, {});
  ASSERT_TRUE(page);
  const ReadColumns data = data_of(*page);
  for (const char* request : {"api/1/tables", "api/scaling?by=functions&metric=wall",
                              "api/diff?before=0&after=1&metric=wall&by=lines&normalise=1"}) {
    EXPECT_TRUE(data.meta()["answers"].contains(request)) << request;
  }
}

TEST(Page, SaysWhatItLeavesOut) {
  ProfileBuilder builder;
  builder.add_process({});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 1);
  for (int i = 0; i < 65; ++i) {
    builder.values(builder.add_thread({.process = ProcessId(0)})).row(node)[wall] = 1;
  }
  const auto page = make_page({view_of(builder.finish())}, {});
  ASSERT_TRUE(page);
  const ReadColumns data = data_of(*page);
  const auto& answers = data.meta()["answers"];
  EXPECT_FALSE(answers.contains("api/0/values?metric=wall&threads=0"));
  const auto summary = nlohmann::json::parse(data.bytes(answers["api/0/summary"]["column"]));
  EXPECT_NE(summary["notes"].dump().find("65 threads"), std::string::npos);
}

TEST(Page, OfNothingIsAPage) {
  const auto page = make_page({view_of(Profile())}, {});
  ASSERT_TRUE(page);
  EXPECT_TRUE(data_of(*page).meta()["answers"].contains("api/0/summary"));
}

TEST(ViewService, ServesThePageAndErrors) {
  const ProfileSet profiles({view_of(TimedProfile().finish())});
  const HttpHandler plain = make_view_service(profiles, {});
  EXPECT_TRUE(plain({.target = "", .accepts_gzip = true}).is_gzip);
  EXPECT_EQ(plain({.target = ""}).body, plain_page());
  const HttpAnswer missing = plain({.target = "api/9/summary"});
  EXPECT_EQ(missing.status, 404);
  EXPECT_TRUE(nlohmann::json::parse(missing.body).contains("error"));
  EXPECT_EQ(plain({.target = "../../etc/passwd"}).status, 404);
  EXPECT_EQ(plain({.target = "%zz"}).status, 400);
}

TEST(ViewService, CompressesOnTheWayThroughSsh) {
  std::vector<Stack> stacks;
  for (int i = 0; i < 5000; ++i) stacks.push_back({"f" + std::to_string(i), 10});
  const ProfileSet profiles({view_of(profile_of_stacks(stacks))});
  const HttpHandler through_ssh = make_view_service(profiles, {.compresses = true});
  const HttpHandler here = make_view_service(profiles, {});
  const HttpRequest request{.target = "api/0/tables", .accepts_gzip = true};
  EXPECT_FALSE(here(request).is_gzip);
  const HttpAnswer answer = through_ssh(request);
  EXPECT_TRUE(answer.is_gzip);
  EXPECT_EQ(inflate_gzip(answer.body, 1U << 30), here(request).body);
  EXPECT_FALSE(through_ssh({.target = "api/0/tables"}).is_gzip);
  EXPECT_FALSE(through_ssh({.target = "api/profiles", .accepts_gzip = true}).is_gzip);
}

TEST(ProfileSet, KeepsWhatSomebodyLooksAt) {
  ProfileSet profiles({view_of(Profile(), "old")});
  const ProfileVersions before = profiles.now();
  profiles.replace(0, view_of(Profile(), "new").profile, true);
  EXPECT_EQ(before[0].profile->title().name, "old");
  EXPECT_EQ(profiles.now()[0].profile->title().name, "new");
  EXPECT_EQ(profiles.now()[0].generation, 1U);
  profiles.replace(0, nullptr, false);
  EXPECT_EQ(profiles.now()[0].profile->title().name, "new");
  EXPECT_FALSE(profiles.now()[0].is_live);
}

}  // namespace
}  // namespace pyrometer
