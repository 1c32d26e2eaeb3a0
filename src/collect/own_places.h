// The places of one thread that something happens at, found by the thread itself: the call paths
// that led there as a tree, and a number ("site") for each place and whatever else matters there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collect/call_tree.h"
#include "collect/frame_context.h"
#include "collect/own_frames.h"
#include "os/pages.h"

namespace pyrometer {

class OwnPlaces {
 public:
  explicit OwnPlaces(unsigned shortcut_bits, std::uint32_t most_nodes = CallTree::kMostNodes)
      : tree(most_nodes, most_nodes / 4),
        shortcut_bits_(shortcut_bits),
        shortcut_pages_((std::size_t{1} << shortcut_bits) * sizeof(Shortcut)),
        frame_pages_(OwnFrames::kDeepest * sizeof(RawFrame)),
        step_pages_(OwnFrames::kDeepest * sizeof(OwnFrames::Step)),
        last_path_{.steps = {reinterpret_cast<OwnFrames::Step*>(step_pages_.data()),
                             OwnFrames::kDeepest}} {}

  CallTree tree;  // not the sampler's, which the signal handler fills in

  // For the thread itself. `make_site(node)` numbers what is new; `more` tells apart what happens
  // at one place. The same stack with the same `more` as before is known by its hash alone: 64
  // bits leave no room for chance. `make_room()` may make the tree larger; otherwise paths end
  // early until somebody else does.
  template <class MakeSite, class MakeRoom>
  std::uint32_t find_site(const FrameContext& context, std::uint64_t more, MakeSite&& make_site,
                          MakeRoom&& make_room) {
    const Symbols& symbols = context.symbols;
    if (context.codes == nullptr || symbols.is_finalizing() != 0) return make_site(CallTree::kRoot);
    const auto state = reinterpret_cast<std::uintptr_t>(symbols.own_thread_state());
    const OwnFrames frames(context.layout, *context.codes, state);
    constexpr std::uint64_t kOdd = 0xd6e8feb86659fd93ULL;
    std::uint64_t hash = frames.hash() + more;
    hash = (hash ^ (hash >> 32U)) * kOdd;
    hash = (hash ^ (hash >> 32U)) * kOdd;
    hash |= 1U;  // 0, as of a stack without frames, is a shortcut that was never made
    Shortcut& shortcut = shortcuts()[hash >> (64U - shortcut_bits_)];
    if (shortcut.hash == hash) return shortcut.site;
    OwnFrames::Place place = frames.intern(tree, room(), last_path_);
    if (!place.is_final && make_room()) place = frames.intern(tree, room(), last_path_);
    const std::uint32_t site = make_site(place.node);
    if (place.is_final) shortcut = {hash, site};
    return site;
  }

 private:
  struct Shortcut {
    std::uint64_t hash = 0;
    std::uint32_t site = 0;
  };
  Shortcut* shortcuts() const { return reinterpret_cast<Shortcut*>(shortcut_pages_.data()); }
  std::span<RawFrame> room() const {
    return {reinterpret_cast<RawFrame*>(frame_pages_.data()), OwnFrames::kDeepest};
  }

  const unsigned shortcut_bits_;
  Pages shortcut_pages_, frame_pages_, step_pages_;
  OwnFrames::LastPath last_path_;
};

}  // namespace pyrometer
