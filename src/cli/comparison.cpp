#include "cli/comparison.h"

#include "cli/terminal.h"
#include "load/load.h"

namespace pyrometer {

Result<Profile> load_run(std::span<const Path> paths, RunSources& sources) {
  ProgressLine progress;
  PYROMETER_TRY(Profile profile, load_profile(paths, {Detail::kValues, progress.listener()}));
  for (const std::string& note : profile.notes) print_error(note);
  sources.add(profile);
  return profile;
}

void add_comparison_options(CLI::App& command, ComparisonArguments& arguments) {
  command.add_option("-m,--metric", arguments.metric, "What to compare: wall, cpu, samples, ...")
      ->type_name("NAME");
  CLI::Option* lines = command.add_flag("--lines", arguments.lines, "Lines in place of functions");
  command
      .add_flag("--functions", arguments.functions,
                "Functions, also of profiles that measured lines")
      ->excludes(lines);
}

}  // namespace pyrometer
