// Files per rank: "cpu_%r.prof".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "load/load.h"

namespace pyrometer {

bool names_rank(std::string_view pattern);

// A rank by itself was wanted alone: that others have no recording is not to be complained about.
void expect_only(Profile& profile, std::int64_t rank);

// Loads everything, then hands over each rank's part of it and the name of its file. Ends with the
// first error; without ranks that is one itself.
Result<void> for_each_rank(
    std::span<const Path> paths, const std::string& pattern, const LoadOptions& options,
    const std::function<Result<void>(const Profile& part, const std::string& name)>& use);

}  // namespace pyrometer
