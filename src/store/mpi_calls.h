// MPI calls in a merged file: those of each thread class as one blob, and those of each place over
// all processes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "store/tile.h"

namespace pyrometer {

// What tells MPI calls of one thread class apart.
inline auto place_of(const MpiCalls& calls) {
  return std::tuple(calls.node, calls.communicator, calls.size_class);
}

// Adds calls from the same place, with communicators of the same size and as many bytes.
void add_calls(MpiCalls& sum, const MpiCalls& more);

// By column: node, communicator, size class, calls, time, bytes, quickest, slowest.
Tile encode_mpi_calls(std::span<const MpiCalls> calls);

// The mirror: `count` calls in ascending order of their places. Rows are checked against `profile`.
Result<std::vector<MpiCalls>> decode_mpi_calls(ThreadId thread, std::size_t count,
                                               std::int64_t scale, std::uint32_t planes,
                                               std::string_view data, const Profile& profile);

// The calls of all processes, by place.
class MpiCallTotals {
 public:
  void add(std::span<const MpiCalls> calls);

  template <class Visit>
  Result<void> for_each(Visit visit) const {
    for (const auto& [place, calls] : sites_) PYROMETER_TRY_VOID(visit(calls));
    return {};
  }

 private:
  std::map<std::tuple<NodeId, std::uint32_t, std::uint32_t>, MpiCalls> sites_;
};

}  // namespace pyrometer
