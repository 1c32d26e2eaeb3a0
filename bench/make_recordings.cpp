// Writes a run directory of synthetic recordings: make_recordings DIR [options].
#include <CLI/CLI.hpp>
#include <cstdio>

#include "record/run_directory.h"
#include "synthetic_recording.h"

int main(int argc, char** argv) {
  CLI::App app{"Writes a run directory of synthetic recordings"};
  std::string directory;
  pyrometer::SyntheticShape shape;
  std::int32_t ranks = 1;
  app.add_option("DIR", directory)->required();
  app.add_option("--ranks", ranks);
  app.add_option("--nodes", shape.nodes);
  app.add_option("--functions", shape.functions);
  app.add_option("--deepest", shape.deepest);
  app.add_option("--samples", shape.samples);
  app.add_option("--threads", shape.threads);
  app.add_option("--metrics", shape.metrics);
  app.add_option("--density", shape.density);
  app.add_option("--zipf-samples", shape.zipf_samples);
  app.add_flag("!--no-checkpoint", shape.checkpoint);
  app.add_flag("--compressed", shape.compressed);
  app.add_flag("--chain", shape.chain);
  CLI11_PARSE(app, argc, argv);

  const auto joined = pyrometer::join_run_directory(
      directory, {.launch = "synthetic:1", .argv = {"synthetic.py"}, .size = ranks}, true);
  if (!joined) {
    std::fprintf(stderr, "%s\n", joined.error().message.c_str());
    return 1;
  }
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    shape.rank = rank;
    shape.world_size = ranks;
    const pyrometer::RecordingHeader header{
        .rank = rank, .pid = 1000 + static_cast<std::uint32_t>(rank), .host = "synthetic"};
    const pyrometer::Path path = pyrometer::recording_path(directory, header, 1);
    std::filesystem::create_directories(path.parent_path());
    const auto written = pyrometer::write_file(path, pyrometer::synthetic_recording(shape));
    if (!written) {
      std::fprintf(stderr, "%s\n", written.error().message.c_str());
      return 1;
    }
  }
  return 0;
}
