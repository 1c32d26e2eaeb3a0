// The profile as a file of another tool.
#include "export/exporter.h"
#include "serve/answers.h"

namespace pyrometer {
namespace {

// "wave" of "wave.run", with the exporter's extension. Only what no header and no file system
// minds.
std::string file_name(std::string_view name, const Exporter& exporter) {
  std::string stem;
  for (const char c : name.substr(0, name.rfind('.'))) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    stem += is_plain ? c : '_';
  }
  if (stem.empty() || stem.starts_with('.')) stem = "profile" + stem;
  const std::string_view extension = exporter.extension;
  return stem + std::string(extension.substr(0, extension.find(' ')));
}

}  // namespace

Result<Answer> answer_export(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const Exporter* exporter,
                find_exporter(request.parameter("format").value_or("speedscope"), ""));
  if (exporter->write == nullptr) {
    return fail(ErrorCode::kUsage,
                "{} profiles are a folder of files; write them with 'pyrometer export -F {} -o "
                "FOLDER'.",
                exporter->name, exporter->name);
  }
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  PYROMETER_TRY(std::string bytes, write_export(*exporter, make_overview(*profile, metrics[0])));
  return Answer{std::move(bytes), kBinaryType, file_name(viewed.title().name, *exporter)};
}

}  // namespace pyrometer
