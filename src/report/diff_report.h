// What `pyrometer diff` says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analyze/diff.h"

namespace pyrometer {

struct DiffReportOptions {
  bool all = false;  // rows, too, whose change chance explains
  std::optional<std::size_t> limit = {};
  bool use_color = false;
};

// Rows in the order of the diff.
std::string diff_text(const Diff& diff, const DiffReportOptions& options);

// docs/diff.schema.json describes it. All rows come, whatever their change; `has_failed` is the
// verdict of --fail-above, if that was asked for.
std::string diff_json(const Diff& diff, std::optional<bool> has_failed);

// "+1.46 s", "-3", "0 s"
std::string format_change(Unit unit, double change);

}  // namespace pyrometer
