#include "profile/module_path.h"

#include <algorithm>

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

constexpr std::string_view kPackageFolders[] = {"/site-packages/", "/dist-packages/"};

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// Code that a library makes while it runs has such a name for a file.
bool is_generated_by_library(std::string_view name) {
  return name.starts_with("<decorator-gen") || name.starts_with("<__array_function__");
}

}  // namespace

std::vector<std::string> module_search_paths(const Profile& profile) {
  std::vector<std::string> paths;
  for (const Process& process : profile.processes) {
    for (const auto& [key, value] : process.attributes) {
      if (key == "sys.path") paths.push_back(value);
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

SourceOwner source_owner(std::string_view path, const std::vector<std::string>& roots) {
  if (is_generated_by_library(path)) return SourceOwner::kInstalled;
  if (path.starts_with("<frozen ")) return SourceOwner::kStandardLibrary;
  for (const std::string_view folder : kPackageFolders) {
    if (path.find(folder) != std::string_view::npos) return SourceOwner::kInstalled;
  }
  if (!behind_standard_library(path).empty()) return SourceOwner::kStandardLibrary;
  constexpr std::string_view kExtensions = "/lib-dynload";
  for (const std::string_view root : roots) {
    if (!root.ends_with(kExtensions)) continue;
    if (is_below(path, root.substr(0, root.size() - kExtensions.size()))) {
      return SourceOwner::kStandardLibrary;
    }
  }
  return SourceOwner::kUser;
}

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
  for (const std::string_view marker : kPackageFolders) {
    if (const auto rest = behind_folder(path, marker); !rest.empty()) return std::string(rest);
  }
  if (const auto rest = behind_standard_library(path); !rest.empty()) return std::string(rest);
  return std::string(path);
}

}  // namespace pyrometer
