#include "cli/merge_format.h"

#include <algorithm>
#include <array>

#include "load/file_formats.h"

namespace pyrometer {
namespace {

constexpr std::string_view kMerged = "pyro";
// Names that people give to cProfile's files, and others to theirs.
constexpr std::array<std::string_view, 2> kOpenExtensions{".dat", ".part"};

bool is_open_name(std::string_view output) {
  return std::any_of(kOpenExtensions.begin(), kOpenExtensions.end(),
                     [&](std::string_view extension) { return output.ends_with(extension); });
}

// The name of the format that all inputs have; empty when they differ.
Result<std::string_view> common_format(std::span<const Path> inputs) {
  std::string_view common;
  for (const Path& input : inputs) {
    PYROMETER_TRY(const FileFormat* format, recognise(input));
    if (!common.empty() && format->name != common) return std::string_view();
    common = format->name;
  }
  return common == "recording" ? kMerged : common;
}

}  // namespace

Result<MergeFormat> choose_merge_format(const std::string& format, const std::string& output,
                                        std::span<const Path> inputs) {
  if (format == kMerged) return nullptr;
  if (!format.empty()) return find_exporter(format, "");
  if (output.ends_with(".pyro")) return nullptr;
  if (!is_open_name(output)) {
    if (auto named = find_exporter("", output)) return named;
  }
  PYROMETER_TRY(const std::string_view common, common_format(inputs));
  if (common == kMerged) return nullptr;
  if (!common.empty()) {
    if (auto same = find_exporter(common, "")) return same;
  }
  if (is_open_name(output)) return find_exporter("pstats", "");
  return fail(ErrorCode::kUsage,
              "the name '{}' does not say which format to write; let it end in .pyro, .prof or "
              ".lprof, or choose one with --format",
              output);
}

}  // namespace pyrometer
