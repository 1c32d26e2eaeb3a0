// The text of a source file: as it ran where that was kept, else as it is on the disk now.
#include "base/json_writer.h"
#include "profile/source_file.h"
#include "serve/answers.h"

namespace pyrometer {
namespace {

struct FoundSource {
  std::optional<std::string> text;
  std::string_view from = "none";
};

FoundSource find_source(const Profile& profile, StringId file) {
  const auto recorded = profile.sources.find(file);
  const bool is_recorded = recorded != profile.sources.end();
  if (is_recorded && !recorded->second.is_hash) return {recorded->second.content, "recorded"};
  std::optional<std::string> text = read_source_text(Path(profile.text(file)));
  if (!text) return {};
  const bool is_other = is_recorded && content_id(*text).to_bytes() != recorded->second.content;
  return {std::move(text), is_other ? "changed" : "disk"};
}

}  // namespace

Result<Answer> answer_source(const ViewedProfile& viewed, const Request& request) {
  const ViewedProfile::Files& files = viewed.files();
  constexpr std::uint32_t kMissing = ViewedProfile::Files::kNone;
  PYROMETER_TRY(const std::uint32_t row, request.number("file", kMissing, kMissing));
  if (row >= files.paths.size()) {
    return fail(ErrorCode::kNotFound, "This profile has no such file.");
  }
  const Profile& profile = viewed.summary();
  FoundSource source;
  if (!request.without_sources) source = find_source(profile, files.paths[row]);
  JsonWriter json;
  json.begin_object().member("path", profile.text(files.paths[row])).key("text");
  source.text ? json.value(*source.text) : json.null();
  json.member("from", source.from).end_object();
  return Answer{json.take()};
}

}  // namespace pyrometer
