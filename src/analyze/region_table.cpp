#include "analyze/region_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace pyrometer {
namespace {

constexpr std::string_view kPrefix = "region.";
constexpr std::string_view kLeftOut = "regions.left-out";

// Numbers that are separated by blanks, each at least 0.
template <std::size_t Count>
std::optional<std::array<std::int64_t, Count>> parse_numbers(std::string_view text) {
  std::array<std::int64_t, Count> numbers{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (std::size_t i = 0; i < Count; ++i) {
    if (i > 0 && (at == end || *at++ != ' ')) return std::nullopt;
    const auto parsed = std::from_chars(at, end, numbers[i]);
    if (parsed.ec != std::errc() || numbers[i] < 0) return std::nullopt;
    at = parsed.ptr;
  }
  return at == end ? std::optional(numbers) : std::nullopt;
}

void add(RegionCost& cost, const std::array<std::int64_t, 5>& figures) {
  const auto [count, total, self, shortest, longest] = figures;
  const bool is_first = cost.processes++ == 0;
  cost.count += count;
  cost.total += total;
  cost.self += self;
  cost.shortest = is_first ? shortest : std::min(cost.shortest, shortest);
  cost.longest = std::max(cost.longest, longest);
  cost.least = is_first ? total : std::min(cost.least, total);
  cost.most = std::max(cost.most, total);
}

}  // namespace

std::vector<RegionCost> make_region_table(const Profile& profile) {
  std::map<std::string_view, RegionCost> costs;
  for (const Process& process : profile.processes) {
    for (const auto& [key, value] : process.attributes) {
      if (!key.starts_with(kPrefix)) continue;
      const auto figures = parse_numbers<5>(value);
      if (figures && figures->front() > 0) {
        add(costs[std::string_view(key).substr(kPrefix.size())], *figures);
      }
    }
  }
  std::vector<RegionCost> rows;
  for (auto& [name, cost] : costs) {
    cost.name = name;
    rows.push_back(std::move(cost));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const RegionCost& a, const RegionCost& b) { return a.total > b.total; });
  return rows;
}

std::int64_t regions_left_out(const Profile& profile) {
  std::int64_t sum = 0;
  for (const Process& process : profile.processes) {
    for (const auto& [key, value] : process.attributes) {
      if (key != kLeftOut) continue;
      if (const auto number = parse_numbers<1>(value)) sum += number->front();
    }
  }
  return sum;
}

std::int64_t region_left_out(const Profile& profile, std::string_view name) {
  if (regions_left_out(profile) == 0) return 0;
  const std::vector<RegionCost> table = make_region_table(profile);
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const RegionCost& cost) { return cost.name == name; });
  const auto kept =
      std::count_if(profile.regions.begin(), profile.regions.end(),
                    [&](const Region& region) { return profile.text(region.name) == name; });
  return row == table.end() ? 0 : std::max<std::int64_t>(row->count - kept, 0);
}

}  // namespace pyrometer
