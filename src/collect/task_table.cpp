#include "collect/task_table.h"

namespace pyrometer {

std::uint32_t TaskTable::label(const std::string& text) {
  const auto [found, is_new] =
      label_numbers_.try_emplace(text, static_cast<std::uint32_t>(labels_.size()));
  if (is_new) labels_.push_back(text);
  return found->second + 1;
}

TaskTable::KindId TaskTable::kind(const std::string& name) {
  const auto known = kinds_.find(name);
  if (known != kinds_.end()) return known->second;
  const auto next = static_cast<KindId>(kind_places_.size() + 1);
  if (next > kMostKinds) return kMostKinds;
  const std::string shown = next == kMostKinds ? "(other tasks)" : name;
  kinds_.emplace(shown, next);
  kind_places_.push_back(child(kNoPlace, label("task " + shown), {}));
  return next;
}

std::uint32_t TaskTable::child(std::uint32_t parent, std::uint32_t label, Frame frame) {
  const Key key{parent, label,
                std::uint64_t{frame.code} << 32U | static_cast<std::uint32_t>(frame.instruction)};
  const auto known = place_numbers_.find(key);
  if (known != place_numbers_.end()) return known->second;
  if (places_.size() >= kMostPlaces && parent != kNoPlace) return parent;
  const auto next = static_cast<std::uint32_t>(places_.size());
  places_.push_back({.parent = parent, .label = label, .frame = frame});
  place_numbers_.emplace(key, next);
  return next;
}

std::uint32_t TaskTable::place(KindId kind, std::span<const Frame> frames,
                               std::string_view awaited) {
  std::uint32_t place = kind_places_[kind - 1U];
  for (const Frame& frame : frames) place = child(place, 0, frame);
  if (!awaited.empty()) place = child(place, label(std::string(awaited)), {});
  return place;
}

}  // namespace pyrometer
