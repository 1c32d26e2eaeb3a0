#include "export/tau_paths.h"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/names.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Depth first with a stack, as the tree may be deep.
void find_outermost(std::size_t function_count, std::vector<TauPath>& paths) {
  std::vector<std::vector<std::uint32_t>> children(paths.size());
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    (paths[i].parent == TauPath::kNone ? roots : children[paths[i].parent]).push_back(i);
  }
  std::vector<std::uint32_t> running(function_count);
  // Each path twice: the second time everything below it is done.
  std::vector<std::pair<std::uint32_t, bool>> open;
  for (const std::uint32_t root : roots) open.emplace_back(root, false);
  while (!open.empty()) {
    const auto [index, is_done] = open.back();
    std::uint32_t& count = running[paths[index].function.row()];
    if (is_done) {
      --count;
      open.pop_back();
      continue;
    }
    open.back().second = true;
    paths[index].is_outermost = count++ == 0;
    for (const std::uint32_t child : children[index]) open.emplace_back(child, false);
  }
}

}  // namespace

TauPaths make_tau_paths(const Profile& profile) {
  TauPaths result;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> known;
  result.of_node.reserve(profile.nodes.size());
  for (const Node& node : profile.nodes) {
    const std::uint32_t parent =
        node.parent.is_none() ? TauPath::kNone : result.of_node[node.parent.row()];
    const std::uint64_t key = (std::uint64_t{parent} << 32U) | node.function.row();
    const auto [found, is_new] =
        known.try_emplace(key, static_cast<std::uint32_t>(result.paths.size()));
    if (is_new) result.paths.push_back({.parent = parent, .function = node.function});
    result.of_node.push_back(found->second);
  }
  find_outermost(profile.functions.size(), result.paths);
  return result;
}

std::string tau_name(const Profile& profile, const Function& function) {
  std::string name = printable(display_name(profile, function));
  replace_all(name, "\"", "'");
  replace_all(name, "=>", "->");
  replace_all(name, "[{", "[(");
  replace_all(name, "[@]", "(@)");
  if (name.empty()) name = "?";
  std::string file = printable(profile.text(function.file));
  if (file.empty() || file == "~") return name;
  // Hatchet takes a space for the end of the file's name.
  for (char& character : file) {
    if (std::string_view(" \"{}[]").find(character) != std::string_view::npos) character = '_';
  }
  replace_all(file, "=>", "->");
  return fmt::format("{} [{{{}}} {{{}}}]", name, file, function.first_line);
}

std::string tau_group(const Profile& profile, const Function& function) {
  if (profile.text(function.name).starts_with("MPI_")) return "MPI";
  const bool is_python =
      function.kind == FunctionKind::kPython || function.kind == FunctionKind::kBuiltin;
  return is_python ? "TAU_PYTHON" : "TAU_USER";
}

}  // namespace pyrometer
