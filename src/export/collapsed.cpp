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
  std::replace(name.begin(), name.end(), ';', ':');
  return printable(name);
}

}  // namespace

Result<std::string> export_collapsed(const Overview& overview) {
  const Profile& profile = overview.profile;
  const bool is_time = profile.metrics[overview.metric.row()].unit == Unit::kNanoseconds;
  const ViewTree tree = make_call_tree(profile, overview.metric);
  std::string out;
  std::string path;
  std::vector<std::size_t> path_ends;  // by depth: where the path ends at that level
  std::vector<std::uint32_t> open(tree.roots.rbegin(), tree.roots.rend());
  // What rounding to microseconds drops is carried to the next line, so the sum is right.
  std::int64_t carried = 0;
  while (!open.empty()) {
    const ViewNode& node = tree.nodes[open.back()];
    open.pop_back();
    path_ends.resize(node.depth);
    path.resize(path_ends.empty() ? 0 : path_ends.back());
    if (!path.empty()) path += ';';
    path += frame_name(profile, profile.functions[node.function.row()]);
    path_ends.push_back(path.size());
    const std::int64_t exact = node.self + carried;
    const std::int64_t value = is_time ? exact / 1000 : exact;
    if (is_time) carried = exact - value * 1000;
    if (value != 0) out += fmt::format("{} {}\n", path, value);
    if (out.size() > kLargestOutput) {
      return fail(ErrorCode::kTooLarge,
                  "the call paths are too deep for collapsed stacks (over 1 GiB of text); export "
                  "speedscope or json instead");
    }
    open.insert(open.end(), node.children.rbegin(), node.children.rend());
  }
  return out;
}

}  // namespace pyrometer
