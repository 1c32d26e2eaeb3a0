#include "merge/merge.h"

#include <algorithm>
#include <thread>

#include "merge/find_inputs.h"
#include "merge/read_inputs.h"
#include "merge/write_merged.h"

namespace pyrometer {

Result<MergeSummary> merge_files(std::span<const Path> names, const Path& output,
                                 const MergeOptions& options) {
  AloneTeam alone;
  Team& team = options.team != nullptr ? *options.team : alone;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned workers = options.workers == 0 ? cores : options.workers;

  PYROMETER_TRY(const FoundInputs found, find_inputs(names, output, options.update, team));
  const MergeInputs& inputs = found.inputs;
  PYROMETER_TRY(
      ReadFiles read,
      read_inputs(inputs, output, {workers, options.without_sources, options.progress}, team));
  PYROMETER_TRY(
      const MergedCounts counts,
      write_merged(read.shards, output, {options.progress, options.analyses, workers}, team));
  std::error_code ignored;
  const std::size_t updated = found.is_update ? 1 : 0;
  return MergeSummary{.files = inputs.files.size() - read.left_out.size() - updated,
                      .processes = counts.processes,
                      .functions = counts.functions,
                      .nodes = counts.nodes,
                      .bytes = std::filesystem::file_size(output, ignored),
                      .unchanged = found.unchanged,
                      .left_out = std::move(read.left_out)};
}

}  // namespace pyrometer
