#include "base/normal_path.h"

#include <filesystem>

namespace pyrometer {

std::string normal_path(std::string_view path) {
  const bool is_absolute = path.starts_with('/');
  const bool is_normal =
      path.find("//") == std::string_view::npos && path.find("/.") == std::string_view::npos;
  if (!is_absolute || is_normal) return std::string(path);
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace pyrometer
