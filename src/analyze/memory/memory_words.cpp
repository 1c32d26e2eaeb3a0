#include "analyze/memory/memory_words.h"

#include <fmt/format.h>

#include "analyze/names.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::size_t kWidestPlace = 60;

}  // namespace

std::string place_words(const Profile& profile, const MemoryPlace& place) {
  const Function& function = profile.functions[place.function.row()];
  const std::string where = place.line == 0 ? display_place(profile, function)
                                            : display_place(profile, function, place.line);
  std::string name = short_name(profile, function);
  if (where.empty() || where == name) return name;
  return fmt::format("{} ({})", name, shorten_front(where, kWidestPlace));
}

std::string site_words(const Profile& profile, const MemorySite& site, MemoryFigure figure) {
  std::string words = place_words(profile, site.place);
  const std::int64_t all = site.figures.*figure;
  const std::int64_t for_caller = site.for_caller.*figure;
  if (site.caller.function.is_none() || for_caller <= 0) return words;
  const double share = static_cast<double>(for_caller) / static_cast<double>(all);
  constexpr double kAsGoodAsAll = 0.95;
  const std::string part = share < kAsGoodAsAll ? fmt::format("{:.0f} % of it ", 100 * share) : "";
  return fmt::format("{}, {}called from {}", words, part, place_words(profile, site.caller));
}

}  // namespace pyrometer
