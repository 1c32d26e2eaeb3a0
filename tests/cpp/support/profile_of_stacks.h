// A profile from stacks written as text: "main:1;solve:20" with a value and a call count.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "profile/builder.h"

namespace pyrometer::testing {

struct Stack {
  std::string path;
  std::int64_t wall;
  std::int64_t calls = 0;
};

inline Profile profile_of_stacks(const std::vector<Stack>& stacks, bool sampled = false) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process(
      {.host = "node", .pid = 7, .duration = 1'000'000'000, .source = "test.pyr"});
  const ThreadId thread =
      builder.add_thread({.process = process, .tid = 7, .name = builder.string("MainThread")});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const MetricId calls = builder.metric({"calls"});
  const MetricId samples = builder.metric({"samples"});
  for (const Stack& stack : stacks) {
    NodeId node = NodeId::none();
    std::istringstream frames(stack.path);
    for (std::string frame; std::getline(frames, frame, ';');) {
      const std::size_t colon = frame.find(':');
      const std::string name = frame.substr(0, colon);
      const auto line = static_cast<std::uint32_t>(
          colon == std::string::npos ? 0 : std::stoul(frame.substr(colon + 1)));
      node = builder.node(node,
                          builder.function({.name = name,
                                            .qualified_name = name,
                                            .file = "/home/user/" + name + ".py",
                                            .short_file = name + ".py",
                                            .first_line = 1}),
                          line);
    }
    builder.values(thread).row(node)[wall] += stack.wall;
    builder.values(thread).row(node)[calls] += stack.calls;
    if (sampled) builder.values(thread).row(node)[samples] += stack.wall / 1'000'000;
  }
  builder.profile().is_sampled = sampled;
  return builder.finish();
}

}  // namespace pyrometer::testing
