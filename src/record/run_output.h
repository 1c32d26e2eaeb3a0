// Which directory a run is recorded in: the one that was asked for, or the first name that is free.
#pragma once

#include <string>

#include "base/file.h"
#include "base/result.h"
#include "record/run_directory.h"
#include "record/run_name.h"

namespace pyrometer {

struct OutputRequest {
  std::string output = {};  // its name, with places to fill in; empty: the default name
  Path folder = {};         // where that is made; empty: here
  bool replace = false;
  bool is_shared = false;  // by all ranks of a launch
  NameParts parts = {};
};

// Creates the run's directory, or joins the one of our launch. Nothing is ever mixed with
// what was there before.
Result<Path> open_run_directory(const OutputRequest& request, const RunInfo& info);

// Whether this process is the one of its launch that tells the user why there is no directory.
bool may_speak_of_refusal(const OutputRequest& request, const RunInfo& info);

}  // namespace pyrometer
