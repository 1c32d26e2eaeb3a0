// Where in the program the calling thread is, when it calls MPI or allocates: its own frames stand
// still meanwhile, so that reading them needs none of the sampler's doubts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collect/call_tree.h"
#include "collect/code_table.h"
#include "cpython/layout.h"
#include "cpython/walk.h"

namespace pyrometer {

class OwnFrames {
 public:
  static constexpr std::size_t kDeepest = 2048;  // frames; deeper ones are cut

  // `state` is the thread state of the calling thread, 0 when it has none.
  OwnFrames(const Layout& layout, CodeTable& codes, std::uintptr_t state);

  // Equal for equal stacks: the same code at the same instructions.
  std::uint64_t hash() const;

  struct Place {
    std::uint32_t node = CallTree::kRoot;
    bool is_final = true;  // false: there was no room yet, so it ends early
  };
  // The path that the tree was last asked for, from the outermost frame on: the next one mostly
  // begins alike. `steps` has room for kDeepest of them.
  struct Step {
    std::uint64_t position = 0;
    std::uint32_t node = 0;
  };
  struct LastPath {
    std::span<Step> steps;
    std::size_t depth = 0;
    std::uint64_t deaths = 0;  // of code, when it was asked for
  };
  // `room` is for kDeepest frames. When the tree is full for good, the path is the leaf alone,
  // below "deeper frames".
  Place intern(CallTree& tree, std::span<RawFrame> room, LastPath& last) const;

  // The code that what begins now belongs to: that of the leaf, but for functions of the given
  // names, which begin it for their caller; a generator that such a one calls is a part of it.
  // Names are compared by their address. 0: there is none.
  std::uintptr_t opener(std::span<const std::uintptr_t> names) const;

 private:
  struct Frame {
    std::uintptr_t code = 0;
    std::uintptr_t instruction = 0;  // its address
    std::uint8_t owner = 0;
  };
  std::optional<std::uint32_t> intern_leaf(CallTree& tree, std::span<const RawFrame> frames) const;
  // Calls see(frame) from the leaf on until it returns false.
  template <class See>
  void walk(See&& see) const;

  const Layout& layout_;
  CodeTable& codes_;
  std::uintptr_t leaf_ = 0;
};

}  // namespace pyrometer
