// What tasks of asyncio did, by kind of task and by where they stood: a tree of kinds, the
// coroutines they are in, and what those await. Bounded: kinds and places beyond a number are
// counted together.
#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace pyrometer {

class TaskTable {
 public:
  using KindId = std::uint16_t;  // 0: none
  static constexpr KindId kMostKinds = 1000;
  static constexpr std::size_t kMostPlaces = 20'000;

  struct Frame {
    std::uint32_t code = 0;  // number in the CodeTable
    std::int32_t instruction = 0;
  };
  struct Values {
    std::int64_t tasks = 0;    // that were met
    std::int64_t waiting = 0;  // ns suspended,
    std::int64_t work = 0;     // on a core,
    std::int64_t blocked = 0;  // inside a call that kept the loop waiting without one
    std::int64_t longest = 0;  // ns without giving the loop a turn

    void add(const Values& more) {
      tasks += more.tasks;
      waiting += more.waiting;
      work += more.work;
      blocked += more.blocked;
      longest = std::max(longest, more.longest);
    }
  };

  // Beyond the limit all kinds are one, "(other tasks)".
  KindId kind(const std::string& name);

  // The number of a place; frames from the task's coroutine on, `awaited` may be empty. A place
  // that has no room is the one above it.
  std::uint32_t place(KindId kind, std::span<const Frame> frames, std::string_view awaited = {});

  Values& change(std::uint32_t place) {
    if (!places_[place].is_changed) changed_.push_back(place);
    places_[place].is_changed = true;
    return places_[place].values;
  }

  // Nodes of the recording are made by `to_node(parent, step)`, which may fail with kNoNode: then
  // the place is told of later. `tell(node, values)` gets what came since the last time; several
  // places may have one node.
  static constexpr std::uint32_t kNoNode = UINT32_MAX;
  struct Step {
    std::string_view label;  // empty: the frame
    Frame frame;
  };
  template <class ToNode, class Tell>
  void take_changes(ToNode&& to_node, Tell&& tell) {
    std::vector<std::uint32_t> later;
    for (const std::uint32_t number : changed_) {
      const std::uint32_t node = find_node(number, to_node);
      if (node == kNoNode) {
        later.push_back(number);
      } else {
        places_[number].is_changed = false;
        tell(node, std::exchange(places_[number].values, {}));
      }
    }
    changed_ = std::move(later);
  }
  bool has_changes() const { return !changed_.empty(); }

 private:
  static constexpr std::uint32_t kNoPlace = UINT32_MAX;
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // parent, label + 1, frame
  struct Place {
    std::uint32_t parent = kNoPlace;
    std::uint32_t label = 0;  // + 1; 0: the frame
    Frame frame;
    Values values;
    bool is_changed = false;
    std::uint32_t node = kNoNode;
  };

  std::uint32_t label(const std::string& text);
  std::uint32_t child(std::uint32_t parent, std::uint32_t label, Frame frame);

  // Paths are short: no deeper than a chain of coroutines.
  template <class ToNode>
  std::uint32_t find_node(std::uint32_t number, ToNode& to_node) {
    Place& place = places_[number];
    if (place.node != kNoNode) return place.node;
    std::uint32_t parent = kNoNode;
    if (place.parent != kNoPlace) {
      parent = find_node(place.parent, to_node);
      if (parent == kNoNode) return kNoNode;
    }
    Step step{.frame = place.frame};
    if (place.label != 0) step.label = labels_[place.label - 1];
    place.node = to_node(parent, step);
    return place.node;
  }

  std::vector<std::string> labels_;
  boost::unordered_flat_map<std::string, std::uint32_t> label_numbers_;
  boost::unordered_flat_map<std::string, KindId> kinds_;
  std::vector<std::uint32_t> kind_places_;  // by kind - 1
  std::vector<Place> places_;
  boost::unordered_flat_map<Key, std::uint32_t> place_numbers_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace pyrometer
