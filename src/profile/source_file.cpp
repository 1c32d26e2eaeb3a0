#include "profile/source_file.h"

#include <algorithm>

namespace pyrometer {
namespace {

constexpr std::uint64_t kLargestSource = 10U << 20;
constexpr std::size_t kFirstLine = 256;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool has_source_name(const Path& path) {
  constexpr std::string_view kExtensions[] = {".py", ".pyx", ".pxd", ".pxi", ".pyw", ".ipynb"};
  const std::string extension = path.extension().string();
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

// "#!/usr/bin/env python3": scripts have no extension.
bool is_python_script(const Path& path) {
  const auto begin = read_prefix(path, kFirstLine);
  if (!begin || !begin->starts_with("#!")) return false;
  return std::string_view(*begin).substr(0, begin->find('\n')).find("python") !=
         std::string_view::npos;
}

}  // namespace

std::vector<std::string> split_source(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  return lines;
}

std::optional<std::string> read_source_text(const Path& path) {
  if (!has_source_name(path) && !is_python_script(path)) return std::nullopt;
  auto text = read_file(path, kLargestSource);
  if (!text) return std::nullopt;
  return *std::move(text);
}

std::optional<std::vector<std::string>> read_source(const Path& path) {
  const auto text = read_source_text(path);
  if (!text) return std::nullopt;
  return split_source(*text);
}

}  // namespace pyrometer
