#include "profile/source_lines.h"

#include "profile/source_file.h"

namespace pyrometer {

const std::vector<std::string>& SourceLines::lines(StringId file) {
  const auto [found, is_new] = files_.try_emplace(file);
  if (!is_new) return found->second;
  const auto recorded = profile_.sources.find(file);
  if (recorded != profile_.sources.end() && !recorded->second.is_hash) {
    found->second = split_source(recorded->second.content);
  } else if (auto text = read_source(Path(profile_.text(file)))) {
    found->second = *std::move(text);
  }
  return found->second;
}

std::string SourceLines::line(StringId file, std::uint32_t number) {
  const auto& all = lines(file);
  if (number == 0 || number > all.size()) return {};
  const std::string& text = all[number - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::optional<std::vector<std::string>> source_of(const Profile& profile, const std::string& file) {
  for (const auto& [name, source] : profile.sources) {
    if (!source.is_hash && profile.text(name) == file) return split_source(source.content);
  }
  return read_source(file);
}

}  // namespace pyrometer
