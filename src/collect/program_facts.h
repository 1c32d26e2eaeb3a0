// Who is being recorded: what every recording of this process begins with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collect/options.h"
#include "collect/recorder.h"
#include "record/header.h"
#include "record/run_directory.h"

namespace pyrometer {

struct ProgramFacts {
  std::string python_version;
  std::string python_executable;
  std::vector<std::string> search_path;                     // sys.path and the script's own folder
  std::vector<std::pair<std::string, std::string>> launch;  // by name: launch_facts.h

  void write(Recorder& recorder) const;
};

// Needs the GIL.
ProgramFacts read_program_facts(const AgentOptions& options);

RecordingHeader make_header(const AgentOptions& options);

}  // namespace pyrometer
