#include "export/tau_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::string_view kPrefix = "tau.";
constexpr std::string_view kEvent = "tau.event.";
constexpr std::size_t kLongestValue = 4096;

void add_event(std::string_view name, const std::string& value, TauProfile& tau, TauThread& to) {
  TauEvent event;
  std::istringstream numbers(value);
  numbers >> event.count >> event.largest >> event.smallest >> event.mean >> event.sum_of_squares;
  if (!numbers) return;
  std::string text = printable(name);
  std::replace(text.begin(), text.end(), '"', '\'');
  const auto found = std::find(tau.events.begin(), tau.events.end(), text);
  event.name = static_cast<std::uint32_t>(found - tau.events.begin());
  if (found == tau.events.end()) tau.events.push_back(std::move(text));
  to.events.push_back(event);
}

}  // namespace

std::vector<TauPlace> tau_places(const Profile& profile) {
  std::set<std::int32_t> ranks;
  for (const Process& process : profile.processes) {
    if (process.rank >= 0) ranks.insert(static_cast<std::int32_t>(process.rank));
  }
  std::map<std::int32_t, std::int32_t> contexts;  // by rank: the next one
  std::vector<TauPlace> of_process;
  std::int32_t next_free = 0;
  for (const Process& process : profile.processes) {
    auto node = static_cast<std::int32_t>(process.rank);
    if (process.rank < 0) {
      while (ranks.contains(next_free)) ++next_free;
      node = next_free++;
    }
    of_process.push_back({.node = node, .context = contexts[node]++});
  }
  std::vector<TauPlace> places;
  std::vector<std::int32_t> next_thread(profile.processes.size());
  for (const Thread& thread : profile.threads) {
    TauPlace place = of_process[thread.process.row()];
    place.thread = next_thread[thread.process.row()]++;
    places.push_back(place);
  }
  return places;
}

void add_tau_metadata(const Profile& profile, const Thread& thread, const TauPlace& place,
                      TauProfile& tau, TauThread& to) {
  const Process& process = profile.processes[thread.process.row()];
  const auto add = [&](std::string_view name, const std::string& value) {
    const bool is_known = std::any_of(to.metadata.begin(), to.metadata.end(),
                                      [&](const auto& each) { return each.first == name; });
    if (!is_known && !value.empty()) to.metadata.emplace_back(name, printable(value));
  };
  const std::string own_event = fmt::format("{}{}.", kEvent, place.thread);
  for (const auto& [key, value] : process.attributes) {
    const std::string_view name = key;
    if (name.starts_with(own_event)) {
      add_event(name.substr(own_event.size()), value, tau, to);
    } else if (!name.starts_with(kEvent) && value.size() <= kLongestValue) {
      add(printable(name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name), value);
    }
  }
  add("Hostname", process.host);
  if (process.pid != 0) add("pid", fmt::format("{}", process.pid));
  if (process.start != 0) add("Starting Timestamp", fmt::format("{}", process.start / 1000));
  add("Thread", std::string(profile.text(thread.name)));
  if (profile.paths_are_estimated) add("Call paths", "estimated from callers and callees");
  add("Exported by", "Pyrometer");
}

}  // namespace pyrometer
