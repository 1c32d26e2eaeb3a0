#include "cli/run_environment.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "os/launch_identity.h"

namespace pyrometer {
namespace {

// What an outer `pyrometer run` chose is not for us.
constexpr const char* kChoices[] = {
    "PYROMETER_RATE",          "PYROMETER_CLOCK",    "PYROMETER_EXACT",    "PYROMETER_C_CALLABLES",
    "PYROMETER_CALIBRATE",     "PYROMETER_TIMELINE", "PYROMETER_THROTTLE", "PYROMETER_LINES",
    "PYROMETER_LINES_IMPORTS", "PYROMETER_RANKS",    "PYROMETER_MEMORY",   "PYROMETER_REGIONS",
    "PYROMETER_PAUSED",        "PYROMETER_COPIES",
};

constexpr std::string_view kSeparators = ": ";  // between the files of LD_PRELOAD

bool names_file(std::string_view preloads, std::string_view file) {
  for (std::size_t begin = 0; begin <= preloads.size();) {
    const std::size_t end = std::min(preloads.find_first_of(kSeparators, begin), preloads.size());
    if (preloads.substr(begin, end - begin) == file) return true;
    begin = end + 1;
  }
  return false;
}

// Sanitizers refuse to come second.
bool has_sanitizer(std::string_view preloads) {
  constexpr std::string_view kSanitizers[] = {"libasan", "libtsan", "liblsan", "libclang_rt."};
  return std::any_of(std::begin(kSanitizers), std::end(kSanitizers), [&](std::string_view name) {
    return preloads.find(name) != std::string_view::npos;
  });
}

// The user's own come first, as they may have to; but whoever counts memory stands before the
// user's allocator.
void add_preloads(EnvironmentBlock& environment, const RecordingSetup& setup) {
  std::string all = own_environment("LD_PRELOAD").value_or("");
  const auto add = [&](const Path& library, bool is_first) {
    const std::string& file = library.native();
    if (file.empty() || names_file(all, file)) return;  // by an outer `pyrometer run`
    all = all.empty() ? file : is_first ? file + ":" + all : all + ":" + file;
    environment.set("LD_PRELOAD", all);
  };
  const bool may_be_first = !has_sanitizer(all);
  add(setup.memory_library, may_be_first);
  add(setup.copies_library, may_be_first);
  add(setup.mpi_library, false);
}

}  // namespace

EnvironmentBlock recording_environment(const RunArguments& arguments, const RecordingSetup& setup) {
  EnvironmentBlock environment = EnvironmentBlock::of_this_process();
  add_preloads(environment, setup);
  const std::string start = setup.start_folder.string();
  const std::string others = own_environment("PYTHONPATH").value_or("");
  const bool is_first_already = others == start || others.starts_with(start + ":");
  environment.set("PYTHONPATH", is_first_already ? others
                                : others.empty() ? start
                                                 : start + ":" + others);
  environment.set("PYROMETER_RUN", std::filesystem::absolute(setup.directory).string());
  environment.set("PYROMETER_LAUNCH", setup.launch);
  environment.set("PYROMETER_NOTICES", setup.notices);
  for (const char* name : kChoices) environment.remove(name);
  if (!arguments.ranks.empty()) environment.set("PYROMETER_RANKS", arguments.ranks);
  if (arguments.lines) {
    std::string targets;  // a line each; never empty, as that would mean nothing
    for (const std::string& target : arguments.line_targets) targets += target + "\n";
    environment.set("PYROMETER_LINES", targets.empty() ? "\n" : targets);
    if (arguments.lines_imports) environment.set("PYROMETER_LINES_IMPORTS", "1");
  }
  if (!arguments.regions.empty()) {
    environment.set("PYROMETER_REGIONS", fmt::format("{}", fmt::join(arguments.regions, "\n")));
  }
  if (arguments.exact) {
    environment.set("PYROMETER_EXACT", "1");
    environment.set("PYROMETER_C_CALLABLES", arguments.c_callables);
    if (arguments.calibrate) environment.set("PYROMETER_CALIBRATE", "1");
    if (arguments.throttle) environment.set("PYROMETER_THROTTLE", "1");
    if (arguments.timeline) {
      environment.set("PYROMETER_TIMELINE", std::to_string(arguments.timeline_size));
    }
  }
  if (!arguments.memory.empty()) {
    environment.set("PYROMETER_MEMORY", arguments.memory);
    // What a line's objects take is known exactly only if malloc makes them.
    if (arguments.lines && !own_environment("PYTHONMALLOC")) {
      environment.set("PYTHONMALLOC", "malloc");
    }
  }
  if (arguments.copies) environment.set("PYROMETER_COPIES", "1");
  if (arguments.paused) environment.set("PYROMETER_PAUSED", "1");
  if (arguments.rate) environment.set("PYROMETER_RATE", std::to_string(*arguments.rate));
  if (arguments.clock != "auto") environment.set("PYROMETER_CLOCK", arguments.clock);
  return environment;
}

std::string why_not_preloaded(const Path& library) {
  if (library.string().find_first_of(kSeparators) == std::string::npos) return {};
  return fmt::format(
      "LD_PRELOAD cannot name '{}'; install Pyrometer in a folder without spaces "
      "and colons",
      library.string());
}

}  // namespace pyrometer
