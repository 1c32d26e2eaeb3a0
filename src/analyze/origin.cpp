#include "analyze/origin.h"

#include <array>

#include "profile/module_path.h"

namespace pyrometer {
namespace {

struct OriginWords {
  std::string_view name;
  std::string_view id;
};
constexpr std::array<OriginWords, kOrigins> kWords = {{
    {"own code", "own"},
    {"packages", "packages"},
    {"standard library", "standard-library"},
    {"native code", "native"},
    {"built-in functions", "builtin"},
    {"waiting and other", "other"},
}};

Origin origin_of_file(std::string_view file, const std::vector<std::string>& roots) {
  switch (source_owner(file, roots)) {
    case SourceOwner::kInstalled: return Origin::kPackages;
    case SourceOwner::kStandardLibrary: return Origin::kStandardLibrary;
    case SourceOwner::kUser: break;
  }
  return Origin::kOwn;
}

}  // namespace

std::string_view name_of(Origin origin) { return kWords[static_cast<std::size_t>(origin)].name; }
std::string_view id_of(Origin origin) { return kWords[static_cast<std::size_t>(origin)].id; }

Origins::Origins(const Profile& profile) {
  const std::vector<std::string> roots = module_search_paths(profile);
  for (const Function& function : profile.functions) {
    switch (function.kind) {
      case FunctionKind::kPython:
        of_function_.push_back(origin_of_file(profile.text(function.file), roots));
        break;
      case FunctionKind::kBuiltin: of_function_.push_back(Origin::kBuiltin); break;
      case FunctionKind::kNative: of_function_.push_back(Origin::kNative); break;
      case FunctionKind::kRegion:
      case FunctionKind::kLabel: of_function_.push_back(Origin::kOther); break;
    }
  }
}

std::vector<OriginCost> make_origin_table(const Overview& overview) {
  const Origins origins(overview.profile);
  std::array<std::int64_t, kOrigins> sums{};
  for (const FunctionCost& cost : overview.graph.functions) {
    sums[static_cast<std::size_t>(origins.of(cost.function))] += cost.self;
  }
  if (overview.graph.functions.empty()) {  // lines and nothing else
    for (const LineCost& cost : overview.lines) {
      sums[static_cast<std::size_t>(origins.of(cost.function))] += cost.self;
    }
  }
  std::vector<OriginCost> table;
  for (std::size_t i = 0; i < kOrigins; ++i) {
    if (sums[i] != 0) table.push_back({static_cast<Origin>(i), sums[i]});
  }
  return table;
}

}  // namespace pyrometer
