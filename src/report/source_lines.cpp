#include "report/source_lines.h"

#include <sstream>

#include "base/file.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kLargestSource = 10U << 20;

// A profile may come from anywhere, so its paths are not followed to arbitrary files.
bool may_be_source(const Path& path) {
  const std::string extension = path.extension().string();
  return extension == ".py" || extension == ".pyx" || extension == ".ipynb" || extension == ".pyw";
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

const std::vector<std::string>& SourceLines::lines_of(StringId file) {
  const auto [found, is_new] = files_.try_emplace(file);
  if (!is_new) return found->second;
  const auto recorded = profile_.sources.find(file);
  if (recorded != profile_.sources.end() && !recorded->second.is_hash) {
    found->second = split_lines(recorded->second.content);
  } else if (const Path path(profile_.text(file)); may_be_source(path)) {
    if (const auto text = read_file(path, kLargestSource)) found->second = split_lines(*text);
  }
  return found->second;
}

std::string SourceLines::line(StringId file, std::uint32_t number) {
  const auto& lines = lines_of(file);
  if (number == 0 || number > lines.size()) return {};
  const std::string& text = lines[number - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace pyrometer
