// What the profile says, in words. A finding is one file here and one line in the table
// of findings.cpp: one sentence with its numbers, given only when noise cannot explain it.
#pragma once

#include <string>
#include <vector>

#include "analyze/overview.h"

namespace pyrometer {

struct Finding {
  enum class Kind { kWarning, kHot, kHint };  // the data's trouble; where it burns; what to try
  Kind kind = Kind::kHint;
  std::string id;  // stable, for silencing and for machines
  std::string sentence;
  double share = 0;           // of the main metric, where it applies
  FunctionId function = {};   // what it is about; none: the whole program
  std::uint32_t line = 0;     // of that function; 0: none in particular
  std::string evidence = {};  // what it is known from: "wave.py:52, 971 samples"
};

// Warnings first, then by share.
std::vector<Finding> find_all(const Overview& overview);

std::vector<Finding> find_incomplete_recordings(const Overview& overview);
std::vector<Finding> find_missing_ranks(const Overview& overview);
std::vector<Finding> find_recorder_messages(const Overview& overview);
std::vector<Finding> find_few_samples(const Overview& overview);
std::vector<Finding> find_estimated_paths(const Overview& overview);
std::vector<Finding> find_hot_functions(const Overview& overview);
std::vector<Finding> find_many_small_calls(const Overview& overview);
std::vector<Finding> find_import_time(const Overview& overview);
std::vector<Finding> find_gil_waits(const Overview& overview);

}  // namespace pyrometer
