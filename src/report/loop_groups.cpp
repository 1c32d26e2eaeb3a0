#include "report/loop_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/names.h"
#include "report/loops.h"

namespace pyrometer {
namespace {

// "f" for "f.<locals>.<listcomp>": the function as its author sees it.
std::string_view author_name(std::string_view name) {
  constexpr std::string_view kInside = ".<locals>.";
  constexpr std::string_view kParts[] = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"};
  for (bool is_part = true; is_part;) {
    is_part = false;
    for (const std::string_view part : kParts) {
      if (!name.ends_with(part)) continue;
      is_part = true;
      name.remove_suffix(part.size());
      if (name.ends_with(kInside)) name.remove_suffix(kInside.size());
    }
  }
  return name.empty() ? "<module>" : name;
}

class LoopGrouper {
 public:
  LoopGrouper(const Profile& profile, const Selection& selection, SourceLines& sources)
      : profile_(profile), sources_(sources) {
    for (std::size_t i = 0; i < profile.functions.size(); ++i) {
      const bool is_python = profile.functions[i].kind == FunctionKind::kPython;
      is_wanted_.push_back(is_python && is_selected(selection, profile, FunctionId::from_index(i)));
    }
  }

  LoopGroups run() {
    for (const Node& node : profile_.nodes) {
      const bool has_line = is_wanted_[node.function.row()] && node.line != 0;
      groups_.positions.of_node.push_back(has_line ? group_of(node) : PositionGroups::kNone);
    }
    return std::move(groups_);
  }

 private:
  const FileLoops& loops_of(StringId file) {
    const auto [found, is_new] = files_.try_emplace(file);
    if (is_new) found->second = find_loops(sources_.lines(file));
    return found->second;
  }

  std::uint32_t group_of(const Node& node) {
    const StringId file = profile_.functions[node.function.row()].file;
    const FileLoops& loops = loops_of(file);
    if (node.line >= loops.of_line.size()) return PositionGroups::kNone;
    // Outer loops are added first: a group comes after the one it lies in.
    std::vector<std::size_t> chain;
    for (std::size_t i = loops.of_line[node.line]; i != Loop::kNone; i = loops.loops[i].parent) {
      chain.push_back(i);
      if (known_.contains({file, i})) break;
    }
    std::uint32_t group = PositionGroups::kNone;
    std::reverse(chain.begin(), chain.end());
    for (const std::size_t i : chain) {
      group = add_group(file, i, loops.loops[i], node.function, group);
    }
    return group;
  }

  std::uint32_t add_group(StringId file, std::size_t index, const Loop& loop, FunctionId function,
                          std::uint32_t parent) {
    auto& groups = groups_.positions.groups;
    const auto [found, is_new] =
        known_.try_emplace({file, index}, static_cast<std::uint32_t>(groups.size()));
    if (is_new) {
      const auto first = static_cast<std::uint32_t>(loop.first);
      const auto last = static_cast<std::uint32_t>(loop.last);
      const Function& owner = profile_.functions[function.row()];
      const std::string end = last == first ? "" : fmt::format("-{}", last);
      groups.push_back(
          {fmt::format("{} at {}{} in {}", loop.is_comprehension ? "comprehension" : "loop",
                       display_place(profile_, owner, first), end,
                       author_name(display_name(profile_, owner))),
           parent});
      groups_.places.push_back({file, first, last, function});
    }
    return found->second;
  }

  const Profile& profile_;
  SourceLines& sources_;
  std::vector<bool> is_wanted_;  // by function
  std::map<StringId, FileLoops> files_;
  std::map<std::pair<StringId, std::size_t>, std::uint32_t> known_;
  LoopGroups groups_;
};

}  // namespace

LoopGroups group_loops(const Profile& profile, const Selection& selection, SourceLines& sources) {
  return LoopGrouper(profile, selection, sources).run();
}

Selection loop_order(Selection selection) {
  if (selection.is_default_order) selection.sort = {SortKey::kTotal};
  return selection;
}

}  // namespace pyrometer
