// The ranks of a job: where each ran, how it ended, and what its time went into. A rank is a
// process that the launcher started with that number, and the children it started itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

struct JobRank {
  std::int64_t number = 0;
  ProcessId process = {};     // the first of them, which the launcher started
  std::size_t processes = 0;  // with its children
  std::uint32_t host = 0;     // row of RankList::hosts
  std::int64_t wall = 0;      // ns, from its start to its end
  std::int64_t useful = 0;    // ns on a CPU outside MPI, of all its threads
  std::int64_t mpi = 0;       // ns in MPI, by the clock
  std::int64_t mpi_wait = 0;  // of that, waiting for other ranks
  std::int64_t io = 0;
  std::int64_t sleep = 0;
  std::int64_t runnable = 0;     // ns that it could have run and had no core
  std::int64_t thread_wall = 0;  // ns, of all its threads together
  std::int64_t samples = 0;
};

struct RankHost {
  std::string name;
  std::size_t ranks = 0;
  std::int64_t cores = 0;  // 0: unknown
};

// Whether ranks had to share cores. If so, wall times say little about the program.
enum class CoreSharing : std::uint8_t {
  kNone,
  kTooManyRanks,    // more of them on a host than it has cores
  kWaitedForCores,  // something else ran there
};

struct RankList {
  static constexpr std::uint32_t kNoRank = ~0U;

  std::vector<JobRank> ranks;             // by number
  std::vector<RankHost> hosts;            // by name
  std::vector<std::uint32_t> of_process;  // row of ranks, kNoRank for processes without
  std::int64_t world_size = 0;            // what the launcher said; 0: unknown
  std::int64_t wall = 0;                  // ns, of the longest rank
  std::int64_t useful = 0;                // ns, of all ranks
  std::int64_t busiest = 0;               // ns, the most useful time that a rank has
  std::int64_t mpi = 0, mpi_wait = 0;     // ns, of all ranks
  CoreSharing sharing = CoreSharing::kNone;
  std::uint32_t crowded_host = 0;  // where sharing is kTooManyRanks
  double runnable_share = 0;       // of all time, waited for a core
  bool is_sampled = false;

  // What shares of the job are taken of: its wall time, or where ranks shared cores the work
  // of the busiest one, as they would have taken that long on cores of their own.
  std::int64_t job_time() const { return sharing == CoreSharing::kNone ? wall : busiest; }
  bool has_mpi() const { return mpi > 0; }
};

RankList make_rank_list(const Profile& profile);

// The last value that was recorded for a key; empty: none.
std::string attribute(const Process& process, std::string_view key);
// Name and version of the MPI library that a process uses, without what builds add to it; empty:
// none.
std::string mpi_library_words(const Process& process);
// Nothing where it is no number.
std::int64_t number_attribute(const Process& process, std::string_view key, std::int64_t missing);

}  // namespace pyrometer
