#include "collect/own_frames.h"

#include <algorithm>
#include <utility>

namespace pyrometer {
namespace {

template <class T>
T load_from(std::uintptr_t address) {
  return load<T>(reinterpret_cast<const char*>(address));
}

constexpr std::uint64_t scramble(std::uint64_t value) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  value *= kOdd;
  return value ^ (value >> 32U);
}

// Tells an instruction of a code object from all others, as long as no code object died. It lies
// inside its code object, so it tells both; where nobody tells us that code died, more of that is
// looked at: another one may be there now.
class Position {
 public:
  Position(const Layout::Code& layout, CodeTable& codes)
      : line_table_(layout.line_table),
        qualified_name_(layout.qualified_name),
        deaths_are_reported_(codes.deaths_are_reported()) {}

  std::uint64_t operator()(std::uintptr_t code, std::uintptr_t instruction) const {
    if (deaths_are_reported_) return instruction;
    return instruction + (load_from<std::uintptr_t>(code + line_table_) << 16U) +
           (load_from<std::uintptr_t>(code + qualified_name_) << 32U);
  }

 private:
  const Offset line_table_, qualified_name_;
  const bool deaths_are_reported_;
};

}  // namespace

OwnFrames::OwnFrames(const Layout& layout, CodeTable& codes, std::uintptr_t state)
    : layout_(layout), codes_(codes) {
  if (state == 0) return;
  leaf_ = load_from<std::uintptr_t>(state + layout.thread.frame);
  if (layout.thread.frame_is_behind_cframe && leaf_ != 0) {
    leaf_ = load_from<std::uintptr_t>(leaf_ + layout.cframe.frame);
  }
}

template <class See>
void OwnFrames::walk(See&& see) const {
  const Layout::Frame layout = layout_.frame;  // a copy, which nothing can change meanwhile
  for (std::uintptr_t frame = leaf_; frame != 0;
       frame = load_from<std::uintptr_t>(frame + layout.previous)) {
    const auto owner = load_from<std::uint8_t>(frame + layout.owner);
    if (owner >= Layout::kOwnedByInterpreter) continue;
    const auto code = load_from<std::uintptr_t>(frame + layout.code) & ~layout.code_tag_bits;
    if (!see(Frame{code, load_from<std::uintptr_t>(frame + layout.instruction), owner})) {
      return;
    }
  }
}

// Each depth has a factor of its own: no frame's share waits for that of the one before it.
std::uint64_t OwnFrames::hash() const {
  constexpr std::uint64_t kOdd = 0xd1342543de82ef95ULL;
  const Position position(layout_.code, codes_);
  std::uint64_t hash = scramble(codes_.deaths());
  std::uint64_t factor = 1;
  std::size_t depth = 0;
  walk([&](const Frame& frame) {
    factor *= kOdd;
    hash += factor * scramble(position(frame.code, frame.instruction));
    return ++depth < kDeepest;
  });
  return hash;
}

// Its line is right, whoever called it.
std::optional<std::uint32_t> OwnFrames::intern_leaf(CallTree& tree,
                                                    std::span<const RawFrame> frames) const {
  OwnMemory memory;
  for (const RawFrame& frame : frames) {
    const std::uint32_t code = codes_.identify(memory, frame.code);
    if (code == CodeTable::kShim) continue;
    if (code == CodeTable::kUnknown) return std::nullopt;
    const std::uint32_t deeper = tree.child({CallTree::kRoot, CodeTable::kDeeper, 0}, true);
    if (deeper == CallTree::kNoRoom) return std::nullopt;
    const std::uint32_t leaf = tree.child({deeper, code, frame.instruction}, true);
    if (leaf == CallTree::kNoRoom) return std::nullopt;
    return leaf;
  }
  return std::nullopt;
}

OwnFrames::Place OwnFrames::intern(CallTree& tree, std::span<RawFrame> room, LastPath& last) const {
  std::size_t depth = 0;
  bool is_cut = false;
  walk([&](const Frame& frame) {
    is_cut = depth == room.size();
    if (is_cut) return false;
    const auto offset =
        static_cast<std::int64_t>(frame.instruction - frame.code - layout_.code.instructions);
    room[depth++] = {.code = frame.code, .instruction = static_cast<std::int32_t>(offset)};
    return true;
  });
  OwnMemory memory;
  Place place;
  const auto descend = [&](std::uint32_t code, std::int32_t instruction) {
    const std::uint32_t next = tree.child({place.node, code, instruction});
    if (next == CallTree::kNoRoom) {
      place.is_final = !tree.can_grow();
      return false;
    }
    place.node = next;
    return true;
  };
  const std::size_t last_depth =
      is_cut || std::exchange(last.deaths, codes_.deaths()) != codes_.deaths() ? 0 : last.depth;
  last.depth = 0;
  if (is_cut && !descend(CodeTable::kDeeper, 0)) return place;
  const Position position(layout_.code, codes_);
  bool begins_alike = true;
  for (std::size_t i = 0; i < depth; ++i) {
    const RawFrame& frame = room[depth - 1 - i];
    Step& step = last.steps[i];
    const std::uintptr_t begin = frame.code + layout_.code.instructions;
    const auto offset = static_cast<std::uintptr_t>(static_cast<std::intptr_t>(frame.instruction));
    const std::uint64_t here = position(frame.code, begin + offset);
    begins_alike = begins_alike && i < last_depth && step.position == here;
    if (begins_alike) {
      place.node = step.node;
      continue;
    }
    const std::uint32_t code = codes_.identify(memory, frame.code);
    if (code == CodeTable::kUnknown) {
      place.is_final = false;
      return place;
    }
    if (code != CodeTable::kShim && !descend(code, frame.instruction)) {
      if (place.is_final) place.node = intern_leaf(tree, room.first(depth)).value_or(place.node);
      return place;
    }
    step = {.position = here, .node = place.node};
  }
  if (!is_cut) last.depth = depth;
  return place;
}

std::uintptr_t OwnFrames::opener(std::span<const std::uintptr_t> names) const {
  std::uintptr_t found = 0;
  bool belongs_to_caller = true;
  bool is_leaf = true;
  walk([&](const Frame& frame) {
    if (belongs_to_caller) found = frame.code;
    const auto name = load_from<std::uintptr_t>(frame.code + layout_.code.name);
    belongs_to_caller = std::find(names.begin(), names.end(), name) != names.end();
    const bool may_be_part =
        std::exchange(is_leaf, false) && frame.owner == Layout::kOwnedByGenerator;
    return belongs_to_caller || may_be_part;
  });
  return found;
}

}  // namespace pyrometer
