#include "profile/module_path.h"

#include <array>

namespace pyrometer {
namespace {

// The part of `path` behind the last "/marker/", or nothing.
std::string_view behind_folder(std::string_view path, std::string_view marker) {
  const std::size_t found = path.rfind(marker);
  return found == std::string_view::npos ? std::string_view() : path.substr(found + marker.size());
}

// What follows ".../lib/python3.11/": the standard library.
std::string_view behind_standard_library(std::string_view path) {
  const std::string_view rest = behind_folder(path, "/lib/python");
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || rest.empty() || rest[0] < '0' || rest[0] > '9') return {};
  return rest.substr(slash + 1);
}

}  // namespace

std::string module_relative(std::string_view path, const std::vector<std::string>& roots) {
  std::string_view best;
  for (const std::string& entry : roots) {
    std::string_view root = entry;
    while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
    const bool fits = root.size() < path.size() && root.size() > best.size() &&
                      path.starts_with(root) && path[root.size()] == '/';
    if (fits && root != "/") best = root;
  }
  if (!best.empty()) return std::string(path.substr(best.size() + 1));
  for (const std::string_view marker :
       std::array{std::string_view("/site-packages/"), std::string_view("/dist-packages/")}) {
    if (const auto rest = behind_folder(path, marker); !rest.empty()) return std::string(rest);
  }
  if (const auto rest = behind_standard_library(path); !rest.empty()) return std::string(rest);
  return std::string(path);
}

}  // namespace pyrometer
