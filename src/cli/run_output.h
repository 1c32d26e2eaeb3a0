// Where a run is recorded, and the files in cProfile's or line_profiler's format that are derived
// from it.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "cli/run_name.h"
#include "record/run_directory.h"

namespace pyrometer {

struct RunOutput {
  Path directory;         // as the user would type it
  std::string prof = {};  // pattern of the derived files; empty: none are wanted

  bool has_line_files() const { return prof.find(".lprof") != std::string::npos; }
};

struct OutputRequest {
  std::string output = {};  // -o; empty: the default name
  bool replace = false;
  bool is_shared = false;  // by all ranks of a launch
  NameParts parts = {};
};

// Creates the run's directory, or joins the one of our launch. Nothing is ever mixed with
// what was there before.
Result<RunOutput> open_run_output(const OutputRequest& request, const RunInfo& info);

struct ProfRequest {
  RunOutput output;
  NameParts parts;
  std::int32_t rank = -1;     // ours; -1: none
  bool is_last_rank = false;  // all others have ended
};

// Derives the files once the program has ended; returns their names. A name with %p or %r
// stands for a file per process or rank; every rank writes its own, and a file over all is
// written by the rank that ends last.
Result<std::vector<std::string>> write_prof_files(const ProfRequest& request);

}  // namespace pyrometer
