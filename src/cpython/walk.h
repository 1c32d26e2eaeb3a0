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
#include <utility>

#include "cpython/layout.h"
#include "cpython/memory.h"

namespace pyrometer {

struct RawFrame {
  std::uintptr_t code = 0;
  std::int32_t instruction = 0;  // byte offset; negative: not begun
  std::uintptr_t generator = 0;  // where a generator or coroutine keeps this frame; 0: it is none
};

struct StackBounds {
  std::uintptr_t low = 0;  // the stack pointer
  std::uintptr_t high = 0;
  bool contains(std::uintptr_t address) const {
    return address >= low && address < high && address % 8 == 0;
  }
};

// Probes every code object.
struct NoCodeIsKnown {
  bool operator()(std::uintptr_t) const { return false; }
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

// `IsKnownCode` tells, by its address alone, a code object that was looked at before; asking is
// cheaper than probing its memory.
template <class Memory, class IsKnownCode>
class FrameWalker {
 public:
  FrameWalker(Memory& memory, const Layout& layout, std::uintptr_t thread_state, StackBounds stack,
              IsKnownCode is_known_code)
      : memory_(memory),
        layout_(layout),
        thread_(thread_state),
        stack_(stack),
        is_known_code_(is_known_code) {}

  Walk walk(std::span<RawFrame> out) {
    const char* thread = memory_.view(thread_ + layout_.thread.frame, sizeof(std::uintptr_t));
    if (thread == nullptr) return {};
    const auto leaf = load<std::uintptr_t>(thread);
    if (!layout_.thread.frame_is_behind_cframe) return walk_from(leaf, out);
    // The interpreter announces a new cframe before it fills it in: then the outer one, which
    // was the leaf a moment ago, tells the truth.
    Walk walk = walk_cframe(leaf, out);
    if (walk.status == WalkStatus::kRejected && !leaf_is_suspect_ && is_cframe(leaf)) {
      const std::uintptr_t outer = outer_cframe(leaf);
      if (outer == root_cframe() || outer > leaf) walk = walk_cframe(outer, out);
    }
    return walk;
  }

 private:
  std::uintptr_t root_cframe() const { return thread_ + layout_.thread.root_cframe; }
  bool is_cframe(std::uintptr_t address) const {
    return stack_.contains(address) || address == root_cframe();
  }

  std::uintptr_t pointer_at(std::uintptr_t address) {
    const char* at = memory_.view(address, sizeof(std::uintptr_t));
    return at == nullptr ? 0 : load<std::uintptr_t>(at);
  }
  std::uintptr_t outer_cframe(std::uintptr_t cframe) {
    return cframe == root_cframe() ? 0 : pointer_at(cframe + layout_.cframe.previous);
  }

  Walk walk_cframe(std::uintptr_t cframe, std::span<RawFrame> out) {
    if (!is_cframe(cframe)) return {};
    cframe_ = cframe;
    return walk_from(pointer_at(cframe + layout_.cframe.frame), out);
  }

  // Where the interpreter links a new frame before it says who called it, a leaf that has not
  // begun may still name the caller of a frame that lay there before. Two things tell: the frames
  // of each run of the interpreter lead to whoever called into it, as its cframe says, ...
  bool enters_from_elsewhere(std::uintptr_t previous) {
    if (!layout_.thread.frame_is_behind_cframe) return false;
    const std::uintptr_t outer = outer_cframe(cframe_);
    if (!is_cframe(outer) || (outer != root_cframe() && outer <= cframe_)) return true;
    cframe_ = outer;
    return pointer_at(outer + layout_.cframe.frame) != previous;
  }
  // ... and frames lie on the data stack without gaps.
  bool leaves_gap(std::uintptr_t frame, std::uintptr_t code) {
    if (!std::exchange(leaf_is_suspect_, false) || chunk_ != leaf_chunk_) return false;
    const char* at = memory_.view(code, layout_.code.instructions);
    if (at == nullptr) return true;
    const auto words = load<std::uint32_t>(at, layout_.code.stack_size) +
                       load<std::uint32_t>(at, layout_.code.local_count);
    const bool is_gap = frame + layout_.frame.size - 8 + 8 * std::uintptr_t{words} != leaf_;
    leaf_is_suspect_ = is_gap;
    return is_gap;
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
    // The leaf can be half-made, with an old pointer in it; what lies below has been running.
    if ((is_leaf || !is_known_code_(code)) &&
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
    leaf_is_suspect_ = false;
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
        if (place == Place::kGenerator) out[walk.depth].generator = frame;
        if (walk.depth == 0) {
          leaf_ = frame;
          leaf_chunk_ = chunk_;
          leaf_is_suspect_ = layout_.thread.frame_is_behind_cframe && place == Place::kData &&
                             out[0].instruction < 0;
        } else if (place == Place::kData && leaves_gap(frame, out[walk.depth].code)) {
          return {};
        }
        at_end = layout_.chain_end == ChainEnd::kEntryFlag &&
                 load<std::uint8_t>(at, layout_.frame.is_entry) != 0;
        ++walk.depth;
      }
      if ((place == Place::kEntry || at_end) && enters_from_elsewhere(previous)) return {};
      frame = previous;
    }
    // Without this a generator caught between two stores would look like a program's root.
    if (walk.depth != 0 && !at_end) return {};
    // No older frame on the data stack spoke for the leaf: a generator that is over may have been
    // taken for its caller.
    if (leaf_is_suspect_) return {};
    walk.status = WalkStatus::kComplete;
    return walk;
  }

  Memory& memory_;
  const Layout& layout_;
  const std::uintptr_t thread_;
  const StackBounds stack_;
  const IsKnownCode is_known_code_;
  std::uintptr_t chunk_ = 0, chunk_top_ = 0;  // the part of the data stack not yet walked
  std::uintptr_t base_frame_ = 0;
  std::uintptr_t cframe_ = 0;  // of the run of the interpreter that is being walked
  std::uintptr_t leaf_ = 0, leaf_chunk_ = 0;
  bool leaf_is_suspect_ = false;
};

}  // namespace pyrometer
