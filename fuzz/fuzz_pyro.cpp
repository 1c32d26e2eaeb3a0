// The reader of merged files: any bytes give a profile whose rows all exist, or a clean
// error. The same bytes are also taken as the data of a tile.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "store/pyro_reader.h"
#include "store/tile.h"

namespace {

using namespace pyrometer;

// SQLite reads files; this one lives in memory where the system has such a place.
const Path& scratch_file() {
  static const Path path = [] {
    const Path memory = "/dev/shm";
    const Path folder =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    return folder / ("fuzz_pyro." + std::to_string(getpid()));
  }();
  return path;
}

void check_rows(const Profile& profile) {
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    PYROMETER_CHECK(node.parent.is_none() || node.parent.row() < i);
    PYROMETER_CHECK(node.function.row() < profile.functions.size());
  }
  for (const Thread& thread : profile.threads) {
    PYROMETER_CHECK(thread.process.row() < profile.processes.size());
  }
  for (const ThreadCells& cells : profile.thread_cells) {
    PYROMETER_CHECK(cells.size() == profile.metrics.size());
    for (const auto& of_metric : cells) {
      for (std::size_t i = 0; i < of_metric.size(); ++i) {
        PYROMETER_CHECK(of_metric[i].node.row() < profile.nodes.size());
        PYROMETER_CHECK(i == 0 || of_metric[i - 1].node < of_metric[i].node);
      }
    }
  }
  for (const LineValue& line : profile.line_values) {
    PYROMETER_CHECK(line.thread.row() < profile.threads.size());
    PYROMETER_CHECK(line.metric.row() < profile.metrics.size());
    PYROMETER_CHECK(line.function.row() < profile.functions.size());
  }
  for (const FlatValue& flat : profile.flat_values) {
    PYROMETER_CHECK(flat.thread.row() < profile.threads.size());
    PYROMETER_CHECK(flat.metric.row() < profile.metrics.size());
    PYROMETER_CHECK(flat.caller.is_none() || flat.caller.row() < profile.functions.size());
    PYROMETER_CHECK(flat.callee.row() < profile.functions.size());
  }
  for (const Region& region : profile.regions) {
    PYROMETER_CHECK(region.thread.row() < profile.threads.size());
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!bytes.empty()) {
    std::vector<std::int64_t> values(1024);
    (void)decode_tile(data[0] >> 4, data[0] & 0xf, bytes.substr(1), values);
  }
  if (!write_file(scratch_file(), bytes)) return 0;
  for (const Detail detail : {Detail::kSummary, Detail::kEverything}) {
    const auto profile = read_pyro(scratch_file(), detail);
    if (profile) check_rows(*profile);
  }
  std::filesystem::remove(scratch_file());
  return 0;
}
