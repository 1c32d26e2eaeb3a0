#include "cli/merge_name.h"

#include "os/host_name.h"
#include "os/launch_identity.h"
#include "os/rank.h"
#include "record/run_name.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000;

std::string stem_of(std::span<const Path> inputs) {
  if (inputs.empty()) return {};
  Path first = inputs.front();
  if (first.filename().empty()) first = first.parent_path();  // "run/"
  const std::string name = first.filename().string();
  return name.substr(0, name.find('.', 1));
}

}  // namespace

Result<std::string> expand_merge_name(const std::string& pattern, std::span<const Path> inputs) {
  if (pattern.find('%') == std::string::npos) return pattern;
  PYROMETER_TRY_VOID(check_name(pattern));
  if (names_part(pattern, 'r')) {
    return fail(ErrorCode::kUsage,
                "a merged file is of all ranks, so '{}' has no %r; leave it out, or derive a file "
                "per rank with 'pyrometer run -o {}'",
                pattern, pattern);
  }
  const NameParts parts{.script = stem_of(inputs),
                        .job = job_id(own_environment).value_or("local"),
                        .host = host_name(),
                        .pid = static_cast<std::uint64_t>(own_start().pid)};
  if (!names_part(pattern, 'n')) return expand_name(pattern, parts, 0);
  for (std::uint64_t number = 1; number < kMostNumbers; ++number) {
    const std::string name = expand_name(pattern, parts, number);
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored)) return name;
  }
  return fail(ErrorCode::kIo, "there are too many files named '{}'", pattern);
}

}  // namespace pyrometer
