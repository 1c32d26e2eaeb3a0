#include "report/run_sources.h"

#include "profile/source_file.h"

namespace pyrometer {

void RunSources::add(const Profile& profile) {
  for (const auto& [name, source] : profile.sources) {
    if (source.is_hash) continue;
    recorded_.try_emplace(std::string(profile.text(name)), split_source(source.content));
  }
}

std::string RunSources::line(const std::string& path, std::uint32_t number) {
  auto found = recorded_.find(path);
  if (found == recorded_.end()) {
    const auto [read, is_new] = on_disk_.try_emplace(path);
    if (is_new) read->second = read_source(path).value_or(std::vector<std::string>());
    found = read;
  }
  const std::vector<std::string>& lines = found->second;
  if (number == 0 || number > lines.size()) return {};
  const std::string& text = lines[number - 1];
  return text.substr(0, text.find_last_not_of(" \t\f") + 1);
}

std::string RunSources::stripped_line(const std::string& path, std::uint32_t number) {
  const std::string text = line(path, number);
  const std::size_t begin = text.find_first_not_of(" \t\f");
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace pyrometer
