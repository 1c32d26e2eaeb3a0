// What the tests of JSON formats ask of a profile.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "load/json/json.h"

namespace pyrometer::testing {

inline Profile load_text(std::string_view text, Detail detail = Detail::kEverything) {
  auto profile = load_json(text, detail);
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *std::move(profile) : Profile();
}

// The sentence of a text that must not load.
inline std::string refusal(std::string_view text) {
  const auto profile = load_json(text, Detail::kEverything);
  EXPECT_FALSE(profile) << text;
  return profile ? "" : profile.error().message;
}

// "main;solve@20" for a position; the line is left out when unknown.
inline std::string path_of(const Profile& profile, NodeId id) {
  const Node& node = profile.nodes[id.row()];
  std::string path = node.parent.is_none() ? "" : path_of(profile, node.parent) + ";";
  path += profile.text(profile.function_of(id).qualified_name);
  if (node.line != 0) path += "@" + std::to_string(node.line);
  return path;
}

using Values = std::map<std::string, std::int64_t>;

// The values of a metric that are not zero, by path.
inline Values values_of(const Profile& profile, std::string_view metric) {
  Values values;
  const auto id = profile.find_metric(metric);
  if (!id) return values;
  for (std::size_t node = 0; node < profile.nodes.size(); ++node) {
    const std::int64_t value = profile.node_totals[id->row()][node];
    if (value != 0) values[path_of(profile, NodeId::from_index(node))] += value;
  }
  return values;
}

inline std::string place_of(const Profile& profile, std::string_view name) {
  for (const Function& function : profile.functions) {
    if (profile.text(function.qualified_name) == name) {
      return fmt::format("{} {}:{}", name_of(function.kind), profile.text(function.file),
                         function.first_line);
    }
  }
  return "";
}

}  // namespace pyrometer::testing
