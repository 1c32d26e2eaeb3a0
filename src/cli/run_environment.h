// The environment of a recorded program.
#pragma once

#include <string>

#include "base/file.h"
#include "cli/run_arguments.h"
#include "os/environment_block.h"

namespace pyrometer {

struct RecordingSetup {
  Path start_folder;  // with the start-up hook
  // To be loaded before the program; empty: not wanted.
  Path mpi_library, memory_library, copies_library;
  Path directory;       // of the run
  std::string launch;   // whose it is
  std::string notices;  // the socket we listen on
};

// The environment we were given, and what tells the start-up hook in it to record.
EnvironmentBlock recording_environment(const RunArguments& arguments, const RecordingSetup& setup);

// Why LD_PRELOAD cannot name this file, and what to do; empty when it can.
std::string why_not_preloaded(const Path& library);

}  // namespace pyrometer
