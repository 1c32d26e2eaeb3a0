// How MPI calls are recorded: totals so far.
#include "collect/recorder.h"

namespace pyrometer {

std::uint32_t Recorder::mpi_node(std::uint32_t parent, const std::string& function) {
  const auto [found, is_new] = mpi_functions_.try_emplace(function, 0);
  if (is_new) {
    const std::uint32_t name = string(function);
    found->second = writer_.add_code({.kind = FunctionKind::kNative,
                                      .name = name,
                                      .qualified_name = name,
                                      .file = string("MPI")});
  }
  return node(parent, std::uint64_t{found->second} * 2, 0, 0);
}

void Recorder::mpi_calls(std::uint32_t thread, const std::vector<MpiCallTotals>& rows) {
  write_new_nodes();
  RowWriter written(mpi_call_columns(1));
  for (const MpiCallTotals& row : rows) {
    written.row({row.node, row.communicator, row.size_class, row.calls, row.time, row.bytes,
                 row.quickest, row.slowest});
  }
  writer_.events(RecordType::kMpiCalls, thread, 1, written);
}

}  // namespace pyrometer
