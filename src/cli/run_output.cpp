#include "cli/run_output.h"

#include <utility>

#include "export/exporter.h"

namespace pyrometer {

namespace {

// Files that only another command makes.
Result<void> check_folder_name(std::string_view pattern) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {".html", "view RUN --html FILE"}, {".pyro", "merge RUN -o FILE"}};
  for (const auto& [ending, command] : kOthers) {
    if (!without_parts_at_end(pattern).ends_with(ending)) continue;
    return fail(ErrorCode::kUsage,
                "'{}' is named like a file that 'run' does not write; record with another name, "
                "then 'pyrometer {}' makes it",
                pattern, command);
  }
  return {};
}

}  // namespace

std::string_view without_parts_at_end(std::string_view pattern) {
  while (pattern.size() > 2 && pattern[pattern.size() - 2] == '%') pattern.remove_suffix(2);
  return pattern;
}

std::optional<DerivedKind> derived_kind(std::string_view pattern) {
  constexpr std::pair<std::string_view, DerivedKind> kEndings[] = {
      {".prof", DerivedKind::kProf},  {".lprof", DerivedKind::kLprof},
      {".txt", DerivedKind::kReport}, {".svg", DerivedKind::kGraph},
      {".png", DerivedKind::kGraph},  {".pdf", DerivedKind::kGraph},
      {".dot", DerivedKind::kGraph},
  };
  const std::string_view name = without_parts_at_end(pattern);
  for (const auto& [ending, kind] : kEndings) {
    if (name.ends_with(ending)) return kind;
  }
  const auto exporter = find_exporter("", name);
  if (exporter && (*exporter)->write != nullptr) return DerivedKind::kExport;
  return std::nullopt;
}

Result<RunOutput> open_run_output(OutputRequest request, const RunInfo& info) {
  RunOutput output;
  PYROMETER_TRY_VOID(check_name(request.output));
  PYROMETER_TRY_VOID(check_folder_name(request.output));
  if (derived_kind(request.output)) {
    output.derived = std::exchange(request.output, "");
    request.folder = Path(expand_name(output.derived, request.parts, 1)).parent_path();
  }
  PYROMETER_TRY(output.directory, open_run_directory(request, info));
  return output;
}

}  // namespace pyrometer
