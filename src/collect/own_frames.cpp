#include "collect/own_frames.h"

#include <algorithm>
#include <utility>

namespace pyrometer {
namespace {

template <class T>
T load_from(std::uintptr_t address) {
  return load<T>(reinterpret_cast<const char*>(address));
}

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t more) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ more) * kOdd;
  return hash ^ (hash >> 32U);
}

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
  for (std::uintptr_t frame = leaf_; frame != 0;
       frame = load_from<std::uintptr_t>(frame + layout_.frame.previous)) {
    const auto owner = load_from<std::uint8_t>(frame + layout_.frame.owner);
    if (owner >= Layout::kOwnedByInterpreter) continue;
    const auto code =
        load_from<std::uintptr_t>(frame + layout_.frame.code) & ~layout_.frame.code_tag_bits;
    if (!see(Frame{code, load_from<std::uintptr_t>(frame + layout_.frame.instruction), owner})) {
      return;
    }
  }
}

// The instruction lies inside its code object, so it tells both. Where nobody tells us that code
// died, more of it is looked at: another one may be there now.
std::uint64_t OwnFrames::position(std::uintptr_t code, std::uintptr_t instruction) const {
  if (codes_.deaths_are_reported()) return instruction;
  return instruction + (load_from<std::uintptr_t>(code + layout_.code.line_table) << 16U) +
         (load_from<std::uintptr_t>(code + layout_.code.qualified_name) << 32U);
}

std::uint64_t OwnFrames::hash() const {
  std::uint64_t hash = codes_.deaths();
  std::size_t depth = 0;
  walk([&](const Frame& frame) {
    hash = mix(hash, position(frame.code, frame.instruction));
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
