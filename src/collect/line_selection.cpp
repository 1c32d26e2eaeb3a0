#include "collect/line_selection.h"

#include <algorithm>

#include "base/wildcards.h"

namespace pyrometer {
namespace {

constexpr std::string_view kMain = "__main__";

std::string_view last_part(std::string_view path, char separator) {
  return path.substr(path.rfind(separator) + 1);
}

std::string_view stem_of(std::string_view file) {
  const std::string_view name = last_part(file, '/');
  return name.ends_with(".py") ? name.substr(0, name.size() - 3) : name;
}

bool is_file(std::string_view target) {
  return target.ends_with(".py") || target.find(".py:") != std::string_view::npos;
}

bool selects_in_file(std::string_view target, const CodePlace& place) {
  const std::size_t colon = target.find(".py:");
  const std::string_view file =
      colon == std::string_view::npos ? target : target.substr(0, colon + 3);
  const bool is_there = place.file == file || place.file.ends_with("/" + std::string(file)) ||
                        matches_wildcards(file, place.file) ||
                        matches_wildcards("*/" + std::string(file), place.file);
  if (!is_there || colon == std::string_view::npos) return is_there;
  const std::string_view name = target.substr(colon + 4);
  return is_or_is_in(place.qualified_name, name) || matches_wildcards(name, place.qualified_name);
}

bool selects_by_name(std::string_view target, std::string_view module, const CodePlace& place) {
  if (module == target) return true;
  if (has_wildcards(target)) {
    const bool is_package = target.ends_with(".*") && target.substr(0, target.size() - 2) == module;
    const std::string full = std::string(module) + "." + std::string(place.qualified_name);
    return is_package || matches_wildcards(target, module) || matches_wildcards(target, full);
  }
  return target.size() > module.size() && target.starts_with(module) &&
         target[module.size()] == '.' &&
         is_or_is_in(place.qualified_name, target.substr(module.size() + 1));
}

}  // namespace

bool is_or_is_in(std::string_view qualified_name, std::string_view name) {
  for (std::size_t at = qualified_name.find(name); at != std::string_view::npos;
       at = qualified_name.find(name, at + 1)) {
    const bool begins = at == 0 || qualified_name[at - 1] == '.';
    const std::size_t end = at + name.size();
    if (begins && (end == qualified_name.size() || qualified_name[end] == '.')) return true;
  }
  return false;
}

bool LineSelection::selects(const CodePlace& place) const {
  if (targets_.empty()) return place.is_own;
  return std::any_of(targets_.begin(), targets_.end(), [&](const std::string& target) {
    if (is_file(target)) return selects_in_file(target, place);
    if (selects_by_name(target, place.module, place)) return true;
    if (place.module == kMain && selects_by_name(target, stem_of(place.file), place)) return true;
    if (!place.is_own) return false;
    return has_wildcards(target) ? matches_wildcards(target, place.qualified_name)
                                 : is_or_is_in(place.qualified_name, target);
  });
}

}  // namespace pyrometer
