// A small job of two processes with samples in time, regions and a counter, all with known answers.
//
//   process 0 (rank 0), from 0 s to 4 s: main:1 -> solve:10 for 3 s, main:2 for 1 s
//   process 1 (rank 1), from 1 s to 2 s: main:1 -> solve:10 -> solve:11 for 1 s
//
// Samples come every 500 ms. Of each, 300 ms are python and 200 ms native.
#pragma once

#include "profile/builder.h"

namespace pyrometer::testing {

struct TimedProfile {
  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kStart = 1'700'000'000 * kSecond;
  static constexpr std::int64_t kClock = 77 * kSecond;  // of process 0 at its start

  ProfileBuilder builder;
  MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  MetricId python = builder.metric({"python", Unit::kNanoseconds});
  MetricId native = builder.metric({"native", Unit::kNanoseconds});
  MetricId samples = builder.metric({"samples"});
  ThreadId first = add_process(0, 0, 4), second = add_process(1, 1, 1);
  NodeId main1 = node(NodeId::none(), "main", 1);
  NodeId solve = node(main1, "solve", 10);
  NodeId main2 = node(NodeId::none(), "main", 2);
  NodeId inner = node(solve, "solve", 11);

  // The same program with one process that needs a second.
  Profile one_process() {
    ProfileBuilder alone;
    const ProcessId process = alone.add_process({.duration = kSecond});
    const ThreadId thread = alone.add_thread({.process = process});
    const FunctionId function = alone.function({.name = "solve",
                                                .qualified_name = "solve",
                                                .file = "/home/me/wave.py",
                                                .short_file = "wave.py",
                                                .first_line = 1});
    const NodeId node = alone.node(NodeId::none(), function, 10);
    alone.values(thread).row(node)[alone.metric({"wall", Unit::kNanoseconds})] = kSecond;
    return alone.finish();
  }

  Profile finish() {
    Profile& profile = builder.profile();
    profile.is_sampled = true;
    SampleTrack a(first, {wall, python, native});
    for (int i = 1; i <= 8; ++i)
      add_sample(a, first, kClock + i * kSecond / 2, i <= 6 ? solve : main2);
    SampleTrack b(second, {wall, python, native});
    for (int i = 1; i <= 2; ++i) add_sample(b, second, kClock + i * kSecond / 2, inner);
    profile.samples.push_back(std::move(a));
    profile.samples.push_back(std::move(b));
    profile.regions.push_back(
        {first, builder.string("step"), kClock + kSecond, kSecond, 0, 0});  // from 1 s to 2 s
    profile.regions.push_back(
        {first, builder.string("step"), kClock + 3 * kSecond, kSecond / 2, 0, 0});
    profile.counters.push_back({ProcessId(0),
                                builder.string("memory"),
                                Unit::kBytes,
                                {{kClock, 100}, {kClock + 2 * kSecond, 300}}});
    return builder.finish();
  }

 private:
  ThreadId add_process(std::int64_t rank, std::int64_t start, std::int64_t duration) {
    const ProcessId process = builder.add_process({.rank = rank,
                                                   .world_size = 2,
                                                   .host = "node" + std::to_string(rank),
                                                   .pid = 40 + static_cast<std::uint64_t>(rank),
                                                   .start = kStart + start * kSecond,
                                                   .duration = duration * kSecond,
                                                   .clock = kClock,
                                                   .source = "r.pyr"});
    return builder.add_thread(
        {.process = process, .tid = 40, .name = builder.string("MainThread"), .start = kClock});
  }

  NodeId node(NodeId parent, std::string_view name, std::uint32_t line) {
    return builder.node(parent,
                        builder.function({.name = name,
                                          .qualified_name = name,
                                          .file = "/home/me/wave.py",
                                          .short_file = "wave.py",
                                          .first_line = 1}),
                        line);
  }

  void add_sample(SampleTrack& track, ThreadId thread, std::int64_t time, NodeId node) {
    const std::int64_t values[] = {kSecond / 2, kSecond * 3 / 10, kSecond / 5};
    track.append(time, node, values);
    ValueRows::Row row = builder.values(thread).row(node);
    row[wall] += values[0];
    row[python] += values[1];
    row[native] += values[2];
    row[samples] += 1;
  }
};

}  // namespace pyrometer::testing
