// What a process has besides values and events: its MPI calls, its bins of time and its live memory
// over time, packed for a spool in the rows of a shard's union.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "merge/structure_union.h"
#include "profile/mpi_values.h"
#include "store/merged_tables.h"
#include "store/pyro_writer.h"
#include "store/time_bins.h"

namespace pyrometer {

struct ClassDetails {
  std::vector<MpiCalls> mpi_calls;  // by place, each once; their thread says nothing
  TimeBins bins;
  std::vector<LiveTrack> live;  // by node, each once; their thread says nothing
};

// By thread class.
using ProcessDetails = std::array<ClassDetails, kThreadClasses>;

// Of each process of `profile`, in its rows.
std::vector<ProcessDetails> details_of(const Profile& profile);

struct PackedDetails {
  std::string bytes;         // empty where there is nothing
  std::uint64_t digest = 0;  // equal for equal details, whatever the rows
};
// `rows` leads from those of `file` to those that are packed.
PackedDetails pack_details(const ProcessDetails& details, const MergedTables& file,
                           const RowMaps& rows);
// `rows` leads from those that were packed to those of the result.
ProcessDetails unpack_details(std::string_view packed, const RowMaps& rows);

// Time spent waiting in MPI at one place, which takes all processes to know.
struct WaitCell {
  std::uint32_t node = 0;
  ThreadClass thread_class = ThreadClass::kMain;
  std::int64_t value = 0;
};
// By node and class, without zeros.
std::vector<WaitCell> waits_of(const ProcessDetails& details, const Profile& profile,
                               const QuickestMpiCalls& quickest);

// Writes the details of one process; `tables` has its threads.
Result<void> write_details(const ProcessDetails& details, const MergedTables& tables,
                           ProcessId process, PyroWriter& writer);

}  // namespace pyrometer
