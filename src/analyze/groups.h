// Positions gathered into groups (modules, packages, loops, ...) with what each group cost.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

// Which group each position is in. A group may lie in another, as a loop does in a loop: what
// happens in the inner one happens in the outer one too.
struct PositionGroups {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Group {
    std::string name;
    std::uint32_t parent = kNone;  // has a smaller index
  };
  std::vector<Group> groups;
  std::vector<std::uint32_t> of_node;  // by node: the innermost, or kNone
};

struct GroupCost {
  std::uint32_t group = PositionGroups::kNone;
  std::int64_t self = 0;      // in positions of the group, without what they call
  std::int64_t total = 0;     // with everything that they call; counts once however nested
  std::int64_t samples = 0;   // of self
  std::size_t functions = 0;  // with positions in the group
};

// Those with a value, in the selection's order (its costs and names; others mean self), not
// yet limited.
std::vector<GroupCost> make_group_table(const Profile& profile, MetricId metric,
                                        const PositionGroups& groups, const Selection& selection);

enum class GroupBy : std::uint8_t { kModule, kPackage, kLibrary, kFile, kKind };

std::string_view name_of(GroupBy by);
std::vector<std::string> group_words();
Result<GroupBy> parse_group_by(std::string_view word);

// By what their functions belong to; functions that are not selected are in no group.
PositionGroups group_functions(const Profile& profile, GroupBy by, const Selection& selection);

}  // namespace pyrometer
