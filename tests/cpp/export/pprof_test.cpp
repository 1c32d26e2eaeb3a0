#include <gtest/gtest.h>
#include <zlib.h>

#include <protozero/pbf_reader.hpp>

#include "export/exporter.h"
#include "support/profile_of_stacks.h"

namespace pyrometer {
namespace {

using testing::profile_of_stacks;

std::string unzip(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1 << 20, '\0');
  std::string in(bytes);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

struct Sample {
  std::vector<std::uint64_t> locations;
  std::vector<std::int64_t> values;
  int labels = 0;
  friend bool operator==(const Sample&, const Sample&) = default;
};

Sample read_sample(protozero::pbf_reader in) {
  Sample sample;
  while (in.next()) {
    if (in.tag() == 1) {
      for (const auto id : in.get_packed_uint64()) sample.locations.push_back(id);
    } else if (in.tag() == 2) {
      for (const auto value : in.get_packed_int64()) sample.values.push_back(value);
    } else {
      in.skip();
      ++sample.labels;
    }
  }
  return sample;
}

TEST(Pprof, SamplesHoldEveryMetricFromTheLeafUp) {
  const Profile profile = profile_of_stacks(
      {{"main:3", 5'000'000, 1}, {"main:4;solve:21", 70'000'000, 10}, {"main:4", 0, 2}}, true);
  const std::string bytes = unzip(export_pprof(make_overview(profile, MetricId(0))).value());
  std::vector<Sample> samples;
  std::vector<std::string> strings;
  std::int64_t chosen = 0;
  int types = 0;
  protozero::pbf_reader in(bytes);
  while (in.next()) {
    switch (in.tag()) {
      case 2: samples.push_back(read_sample(in.get_message())); break;
      case 6: strings.push_back(in.get_string()); break;
      case 14: chosen = in.get_int64(); break;
      case 1: ++types; [[fallthrough]];
      default: in.skip();
    }
  }
  EXPECT_EQ(types, 3);  // wall, calls, samples
  EXPECT_EQ(strings.at(0), "");
  EXPECT_EQ(strings.at(static_cast<std::size_t>(chosen)), "wall");
  const std::vector<Sample> expected = {
      {{1}, {5'000'000, 1, 5}, 2}, {{2}, {0, 2, 0}, 2}, {{3, 2}, {70'000'000, 10, 70}, 2}};
  EXPECT_EQ(samples, expected);
}

TEST(Pprof, TooDeepIsRefused) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.source = "x"});
  const ThreadId thread = builder.add_thread({.process = process, .name = builder.string("main")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const FunctionId function = builder.function({.name = "f"});
  NodeId node = NodeId::none();
  for (int depth = 0; depth < 30'000; ++depth) {
    node = builder.node(node, function, 1);
    builder.values(thread).row(node)[wall] += 1;
  }
  const Profile profile = builder.finish();
  const auto refused = export_pprof(make_overview(profile, wall));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace pyrometer
