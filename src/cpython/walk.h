// Reads the chain of Python frames of a thread that may have been stopped anywhere, even
// between two stores of the interpreter. Every hop is checked: a frame lies in the thread's
// data stack below its top, or on its C stack above the interrupted stack pointer, or in a
// readable generator; frames go from newer to older; code is code, the instruction is inside
// it; and the chain ends where a whole one does. What fails a check is rejected, never guessed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cpython/layout.h"
#include "cpython/memory.h"

namespace pyrometer {

struct RawFrame {
  std::uintptr_t code = 0;
  std::int32_t instruction = 0;  // byte offset; negative: not begun
};

struct StackBounds {
  std::uintptr_t low = 0;  // the stack pointer
  std::uintptr_t high = 0;
  bool contains(std::uintptr_t address) const {
    return address >= low && address < high && address % 8 == 0;
  }
};

enum class WalkStatus : std::uint8_t {
  kComplete,
  kTruncated,  // deeper than there was room: the frames next to the leaf are there
  kRejected,
};

struct Walk {
  WalkStatus status = WalkStatus::kRejected;
  std::size_t depth = 0;  // frames found, leaf first
};

template <class Memory>
class FrameWalker {
 public:
  FrameWalker(Memory& memory, const Layout& layout, std::uintptr_t thread_state, StackBounds stack)
      : memory_(memory), layout_(layout), thread_(thread_state), stack_(stack) {}

  Walk walk(std::span<RawFrame> out) {
    const char* thread = memory_.view(thread_ + layout_.thread.frame, sizeof(std::uintptr_t));
    if (thread == nullptr) return {};
    const auto leaf = load<std::uintptr_t>(thread);
    if (!layout_.thread.frame_is_behind_cframe) return walk_from(leaf, out);
    // The interpreter announces a new cframe before it fills it in: then the outer one, which
    // was the leaf a moment ago, tells the truth.
    Walk walk = walk_cframe(leaf, out);
    if (walk.status == WalkStatus::kRejected && is_cframe(leaf)) {
      const char* cframe = memory_.view(leaf + layout_.cframe.previous, sizeof(std::uintptr_t));
      const auto outer = cframe == nullptr ? 0 : load<std::uintptr_t>(cframe);
      if (outer == root_cframe() || outer > leaf) walk = walk_cframe(outer, out);
    }
    return walk;
  }

 private:
  std::uintptr_t root_cframe() const { return thread_ + layout_.thread.root_cframe; }
  bool is_cframe(std::uintptr_t address) const {
    return stack_.contains(address) || address == root_cframe();
  }

  Walk walk_cframe(std::uintptr_t cframe, std::span<RawFrame> out) {
    if (!is_cframe(cframe)) return {};
    const char* at = memory_.view(cframe + layout_.cframe.frame, sizeof(std::uintptr_t));
    return at == nullptr ? Walk{} : walk_from(load<std::uintptr_t>(at), out);
  }

  bool begin_data_stack() {
    const char* chunk = memory_.view(thread_ + layout_.thread.data_chunk, sizeof(std::uintptr_t));
    if (chunk == nullptr) return false;
    chunk_ = load<std::uintptr_t>(chunk);
    const char* top = memory_.view(thread_ + layout_.thread.data_top, sizeof(std::uintptr_t));
    if (top == nullptr) return false;
    chunk_top_ = load<std::uintptr_t>(top);
    return true;
  }

  // Whether `frame` lies in the data stack, below everything seen so far.
  bool is_in_data_stack(std::uintptr_t frame) {
    std::uintptr_t chunk = chunk_;
    std::uintptr_t top = chunk_top_;
    // An older frame is in the same chunk or in the one before it; others are not our business.
    for (int hops = 0; chunk != 0 && hops < 3; ++hops) {
      const char* at = memory_.view(chunk, Layout::kChunkData);
      if (at == nullptr) return false;
      const auto size = load<std::uint64_t>(at, Layout::kChunkSize);
      if (frame >= chunk + Layout::kChunkData && frame < top && frame < chunk + size) {
        chunk_ = chunk;
        chunk_top_ = frame;
        return true;
      }
      chunk = load<std::uintptr_t>(at, Layout::kChunkPrevious);
      if (chunk == 0) break;
      at = memory_.view(chunk, Layout::kChunkData);
      if (at == nullptr) return false;
      top = chunk + Layout::kChunkData + 8 * load<std::uint64_t>(at, Layout::kChunkTop);
    }
    return false;
  }

  enum class Place : std::uint8_t { kNowhere, kData, kGenerator, kEntry, kBase };

  Place place_of(std::uintptr_t frame) {
    if (frame % 8 != 0) return Place::kNowhere;
    if (stack_.contains(frame)) return Place::kEntry;
    if (frame == base_frame_) return Place::kBase;
    if (is_in_data_stack(frame)) return Place::kData;
    return memory_.is_readable(frame, layout_.frame.size) ? Place::kGenerator : Place::kNowhere;
  }

  bool read_code(const char* frame, bool is_leaf, RawFrame& out) {
    const auto code =
        load<std::uintptr_t>(frame, layout_.frame.code) & ~layout_.frame.code_tag_bits;
    const auto instruction = load<std::uintptr_t>(frame, layout_.frame.instruction);
    // Only the leaf can be half-made; what lies below it has been running for a while.
    if ((is_leaf || out.code != code) &&
        !memory_.is_readable(code, layout_.code.instructions + sizeof(std::uint64_t))) {
      return false;
    }
    const char* header = memory_.view(code, Layout::kObjectSize + sizeof(std::uint64_t));
    if (header == nullptr) return false;
    const auto units = load<std::int64_t>(header, Layout::kObjectSize);
    const auto offset = static_cast<std::int64_t>(instruction - code - layout_.code.instructions);
    if (load<std::uintptr_t>(header, Layout::kObjectType) != layout_.code_type || offset < -2 ||
        units <= 0 || units > INT32_MAX / 2 || offset >= 2 * units) {
      return false;
    }
    out = {.code = code, .instruction = static_cast<std::int32_t>(offset)};
    return true;
  }

  Walk walk_from(std::uintptr_t frame, std::span<RawFrame> out) {
    Walk walk;
    std::uintptr_t last_entry = 0;
    bool at_end = false;
    if (!begin_data_stack()) return {};
    if (layout_.chain_end == ChainEnd::kBaseFrame) {
      const char* base = memory_.view(thread_ + layout_.thread.base_frame, sizeof(std::uintptr_t));
      if (base == nullptr) return {};
      base_frame_ = load<std::uintptr_t>(base);
    }
    while (frame != 0) {
      const Place place = place_of(frame);
      if (place == Place::kNowhere) return {};
      const char* at = memory_.view(frame, layout_.frame.size);
      if (at == nullptr) return {};
      const auto owner = load<std::uint8_t>(at, layout_.frame.owner);
      const auto previous = load<std::uintptr_t>(at, layout_.frame.previous);
      if (place == Place::kBase) {
        if (owner < Layout::kOwnedByInterpreter || previous != 0) return {};
        at_end = true;
        break;
      }
      if (place == Place::kEntry) {
        // 3.11 has no such frames; later ones ascend towards the stack's beginning.
        if (layout_.chain_end == ChainEnd::kEntryFlag || owner < Layout::kOwnedByInterpreter ||
            frame <= last_entry) {
          return {};
        }
        last_entry = frame;
        at_end = layout_.chain_end == ChainEnd::kEntryFrame;
      } else {
        const auto wanted =
            place == Place::kData ? Layout::kOwnedByThread : Layout::kOwnedByGenerator;
        if (owner != wanted) return {};
        if (walk.depth == out.size()) {
          walk.status = WalkStatus::kTruncated;
          return walk;
        }
        if (!read_code(at, walk.depth == 0, out[walk.depth])) return {};
        at_end = layout_.chain_end == ChainEnd::kEntryFlag &&
                 load<std::uint8_t>(at, layout_.frame.is_entry) != 0;
        ++walk.depth;
      }
      frame = previous;
    }
    // Without this a generator caught between two stores would look like a program's root.
    if (walk.depth != 0 && !at_end) return {};
    walk.status = WalkStatus::kComplete;
    return walk;
  }

  Memory& memory_;
  const Layout& layout_;
  const std::uintptr_t thread_;
  const StackBounds stack_;
  std::uintptr_t chunk_ = 0, chunk_top_ = 0;  // the part of the data stack not yet walked
  std::uintptr_t base_frame_ = 0;
};

}  // namespace pyrometer
