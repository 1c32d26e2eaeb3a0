#include "report/memory_site_cells.h"

#include <fmt/format.h>

#include "analyze/names.h"
#include "base/format_value.h"

namespace pyrometer {

std::string share_cell(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? "" : format_percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string where_cell(const Profile& profile, const MemoryPlace& place) {
  const Function& function = profile.functions[place.function.row()];
  return place.line == 0 ? display_place(profile, function)
                         : display_place(profile, function, place.line);
}

std::string name_cell(const Profile& profile, const MemoryPlace& place) {
  return std::string(display_name(profile, profile.functions[place.function.row()]));
}

std::string source_cell(const Profile& profile, SourceLines& sources, const MemorySite& site) {
  if (!site.caller.function.is_none()) {
    const bool is_only = site.for_caller.allocated == site.figures.allocated &&
                         site.for_caller.peak == site.figures.peak &&
                         site.for_caller.copied == site.figures.copied;
    return fmt::format("{} {}", is_only ? "for" : "mostly for", where_cell(profile, site.caller));
  }
  const Function& function = profile.functions[site.place.function.row()];
  return sources.line(function.file, site.place.line);
}

}  // namespace pyrometer
