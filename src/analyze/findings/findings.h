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
// Those that are about the ranks of a job.
std::vector<Finding> find_all_of_ranks(const Overview& overview);
// Those that are about memory.
std::vector<Finding> find_all_of_memory(const Overview& overview);

std::vector<Finding> find_incomplete_recordings(const Overview& overview);
std::vector<Finding> find_missing_ranks(const Overview& overview);
std::vector<Finding> find_recorder_messages(const Overview& overview);
std::vector<Finding> find_few_samples(const Overview& overview);
std::vector<Finding> find_estimated_paths(const Overview& overview);
std::vector<Finding> find_hot_functions(const Overview& overview);
std::vector<Finding> find_many_small_calls(const Overview& overview);
std::vector<Finding> find_import_time(const Overview& overview);
std::vector<Finding> find_gil_waits(const Overview& overview);
std::vector<Finding> find_blocked_loop(const Overview& overview);
std::vector<Finding> find_waiting_tasks(const Overview& overview);

// Of recordings with memory.
std::vector<Finding> find_memory_limit(const Overview& overview);
std::vector<Finding> find_host_memory_limit(const Overview& overview);
std::vector<Finding> find_uneven_memory(const Overview& overview);
std::vector<Finding> find_memory_leaks(const Overview& overview);
std::vector<Finding> find_peak_owner(const Overview& overview);
std::vector<Finding> find_memory_churn(const Overview& overview);
std::vector<Finding> find_memory_copies(const Overview& overview);
std::vector<Finding> find_untouched_memory(const Overview& overview);

// Of jobs with ranks; most need the overview's facts about them.
std::vector<Finding> find_rank_endings(const Overview& overview);
std::vector<Finding> find_wrong_launcher(const Overview& overview);
std::vector<Finding> find_oversubscribed_hosts(const Overview& overview);
std::vector<Finding> find_too_many_threads(const Overview& overview);
std::vector<Finding> find_uneven_functions(const Overview& overview);
std::vector<Finding> find_idle_rank_time(const Overview& overview);
std::vector<Finding> find_low_efficiency(const Overview& overview);
std::vector<Finding> find_serial_sections(const Overview& overview);
std::vector<Finding> find_waits_for_ranks(const Overview& overview);
std::vector<Finding> find_slow_machines(const Overview& overview);
std::vector<Finding> find_import_storm(const Overview& overview);
std::vector<Finding> find_pickling(const Overview& overview);

}  // namespace pyrometer
