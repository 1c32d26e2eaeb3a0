// Line, call-edge and MPI values of a recording while it is read: a later checkpoint replaces
// what an earlier one said about the same key.
#pragma once

#include <map>
#include <tuple>

#include "profile/builder.h"

namespace pyrometer {

class CumulativeTables {
 public:
  void set_line(const LineValue& value) {
    lines_.insert_or_assign(
        Key{value.thread.row(), value.metric.row(), value.function.row(), value.line}, value);
  }
  void set_flat(const FlatValue& value) {
    flat_.insert_or_assign(
        Key{value.thread.row(), value.metric.row(), value.caller.row(), value.callee.row()}, value);
  }
  void set_mpi_calls(const MpiCalls& calls) {
    mpi_calls_.insert_or_assign(
        Key{calls.thread.row(), calls.node.row(), calls.communicator, calls.size_class}, calls);
  }
  void move_into(ProfileBuilder& builder) {
    for (const auto& [key, value] : lines_) builder.add_line(value);
    for (const auto& [key, value] : flat_) builder.add_flat(value);
    for (const auto& [key, calls] : mpi_calls_) builder.add_mpi_calls(calls);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  // Ordered, so that the same recording always gives the same profile.
  std::map<Key, LineValue> lines_;
  std::map<Key, FlatValue> flat_;
  std::map<Key, MpiCalls> mpi_calls_;
};

}  // namespace pyrometer
