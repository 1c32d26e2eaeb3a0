// What diff and scale have in common: one profile after the other is loaded, reduced to a table and
// forgotten, but for the texts of its sources.
#pragma once

#include <span>

#include "analyze/cost_table.h"
#include "base/file.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "report/run_sources.h"

namespace pyrometer {

// With the values of every rank; what a reader should know goes to standard error.
Result<Profile> load_run(std::span<const Path> paths, RunSources& sources);

// --metric, --lines and --functions.
struct ComparisonArguments {
  std::string metric;
  bool lines = false;
  bool functions = false;
};
void add_comparison_options(CLI::App& command, ComparisonArguments& arguments);

}  // namespace pyrometer
