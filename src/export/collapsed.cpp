// "main;solve;dot 120": the format of flame graph tools. Values are what the metric counts,
// times in microseconds as other tools write them.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/names.h"
#include "analyze/view_tree.h"
#include "base/printable.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

// Every path is written out whole, so very deep recursion makes a file nobody can read.
constexpr std::size_t kLargestOutput = 1U << 30;

// ';' separates frames, a line break separates paths and the last space the value.
std::string frame_name(const Profile& profile, const Function& function) {
  const std::string place = display_place(profile, function);
  std::string name(display_name(profile, function));
  if (!place.empty()) name += fmt::format(" ({})", place);
  if (name.empty()) name = "?";
  std::replace(name.begin(), name.end(), ';', ':');
  return printable(name);
}

// By function: every frame of a path repeats one of these.
std::vector<std::string> frame_names(const Profile& profile) {
  std::vector<std::string> names;
  names.reserve(profile.functions.size());
  for (const Function& function : profile.functions) {
    names.push_back(frame_name(profile, function));
  }
  return names;
}

// Calls visit(node) depth first, heaviest first, with a stack: the tree may be deep.
template <class Visit>
void walk(const ViewTree& tree, Visit visit) {
  std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
  while (!open.empty()) {
    const ViewNode& node = tree.nodes[open.back()];
    open.pop_back();
    visit(node);
    open.insert(open.end(), node.children.rbegin(), node.children.rend());
  }
}

// At most this much text, found without making it.
std::size_t output_size(const ViewTree& tree, const std::vector<std::string>& names) {
  constexpr std::size_t kValueAndSeparators = 24;
  std::size_t size = 0;
  std::vector<std::size_t> path_sizes{0};  // by depth
  walk(tree, [&](const ViewNode& node) {
    path_sizes.resize(node.depth + 1);
    path_sizes.push_back(path_sizes.back() + names[node.function.row()].size() + 1);
    if (node.self != 0) size += path_sizes.back() + kValueAndSeparators;
  });
  return size;
}

}  // namespace

Result<std::string> export_collapsed(const Overview& overview) {
  const Profile& profile = overview.profile;
  const bool is_time = profile.metrics[overview.metric.row()].unit == Unit::kNanoseconds;
  const ViewTree tree = make_call_tree(profile, overview.metric);
  const std::vector<std::string> names = frame_names(profile);
  if (output_size(tree, names) > kLargestOutput) {
    return fail(ErrorCode::kTooLarge,
                "the call paths are too deep for collapsed stacks (over 1 GiB of text); export "
                "speedscope or json instead");
  }
  std::string out;
  std::string path;
  std::vector<std::size_t> path_ends;  // by depth: where the path ends at that level
  // What rounding to microseconds drops is carried to the next line, so the sum is right.
  std::int64_t carried = 0;
  walk(tree, [&](const ViewNode& node) {
    path_ends.resize(node.depth);
    path.resize(path_ends.empty() ? 0 : path_ends.back());
    if (!path.empty()) path += ';';
    path += names[node.function.row()];
    path_ends.push_back(path.size());
    const std::int64_t exact = node.self + carried;
    const std::int64_t value = is_time ? exact / 1000 : exact;
    if (is_time) carried = exact - value * 1000;
    if (value != 0) out += fmt::format("{} {}\n", path, value);
  });
  return out;
}

}  // namespace pyrometer
