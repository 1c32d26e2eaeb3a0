// What MPI calls cost, as values of the nodes they were made at. Waiting is what a call took
// beyond the quickest of its like on any rank: the same function, about as many bytes, a
// communicator of the same size. Nobody waits in the quickest one; it only transfers. As that
// takes all ranks to know, waits are derived anew whenever profiles are united.
#pragma once

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "profile/profile.h"

namespace pyrometer {

// The file that MPI functions are said to be in, whatever library has them.
inline constexpr std::string_view kMpiFile = "MPI";
bool is_mpi_function(const Profile& profile, const Function& function);

bool is_derived_of_mpi_calls(std::string_view metric);

class QuickestMpiCalls {
 public:
  void add(FunctionId function, const MpiCalls& calls);
  // Never more than what the calls took.
  std::int64_t wait(FunctionId function, const MpiCalls& calls) const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  static Key key(FunctionId function, const MpiCalls& calls) {
    return {function.row(), calls.communicator, calls.size_class};
  }
  boost::unordered_flat_map<Key, std::int64_t> quickest_;
};

}  // namespace pyrometer
