// Which format a merge writes: what --format says, what the output's name says beyond doubt, the
// format that all inputs have, and last what the name may mean.
#pragma once

#include <span>
#include <string>

#include "base/file.h"
#include "base/result.h"
#include "export/exporter.h"

namespace pyrometer {

// No exporter: our own merged file.
using MergeFormat = const Exporter*;

Result<MergeFormat> choose_merge_format(const std::string& format, const std::string& output,
                                        std::span<const Path> inputs);

}  // namespace pyrometer
