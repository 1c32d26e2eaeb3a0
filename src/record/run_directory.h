// One directory per launch: RUN.json says what was launched, raw/ holds one recording
// per process. All processes of a launch join the same directory without talking to
// each other; a directory of another launch is refused, so results never mix.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "record/header.h"

namespace pyrometer {

struct RunInfo {
  std::string launch;  // identity of the launch, equal in all its processes
  std::vector<std::string> argv;
  std::string python;
  std::string host;        // of the process that came first
  std::string launcher;    // "mpirun", "srun", ...; empty without one
  std::int64_t size = 0;   // number of ranks; 0: unknown
  std::int64_t start = 0;  // ns since 1970
  std::map<std::string, std::string> options;
  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

std::string encode_run_info(const RunInfo& info);
Result<RunInfo> decode_run_info(std::string_view json);
Result<RunInfo> read_run_info(const Path& directory);

// Creates the directory or joins the one of the same launch. A directory of another launch
// is an error, or with `replace` loses its old recordings first (once per launch, however
// many processes ask at the same time).
Result<void> join_run_directory(const Path& directory, const RunInfo& info, bool replace);

// Notes that this rank has ended; true for exactly one when all `size` ranks have, so that it can
// derive what needs them all. Never where the size is unknown (0).
// `how` is what the recording cannot say of its own end, for read_end_of_rank(); the first that
// is noted stays.
bool mark_end_of_rank(const Path& directory, std::int32_t rank, std::int32_t size,
                      std::string_view how = {});
// What was noted when the rank of this recording ended; empty: nothing.
std::string read_end_of_rank(const Path& recording, std::int64_t rank);
// What only one rank of a launch may do: true for the first that asks.
bool claim(const Path& directory, std::string_view what);
// A rank ends once: where it has, a new one is of a later launch that the batch system gives
// the same identity.
bool has_rank_ended(const Path& directory, std::int32_t rank);

// Whether this process may say that `directory` holds an earlier run: one of a launch says it, as
// there may be thousands. Where nobody can know, everybody may.
bool may_speak_of_earlier_run(const Path& directory, const RunInfo& info);

// Takes a run away in which nothing was recorded. The folder stays when somebody else keeps
// files in it.
void remove_run(const Path& directory);
// Takes the run of many ranks away if none of them recorded anything. False: something is there,
// which this machine may not see yet.
bool remove_empty_run(const Path& directory);

// raw/000/r0000012-HOST-PID-OPENTIME.pyr: at most 1,000 ranks per folder, and a name that no
// exec and no reused pid can take again. `open_time` in ns since 1970.
Path recording_path(const Path& directory, const RecordingHeader& header, std::int64_t open_time);

bool is_run_directory(const Path& path);

// All recordings of a run, in a stable order.
Result<std::vector<Path>> list_recordings(const Path& directory);

}  // namespace pyrometer
