#include "preload/mpi_call.h"

#include <atomic>
#include <cstring>

#include "collect/agent_table.h"
#include "preload/mpi_amount.h"
#include "preload/mpi_imports.h"
#include "preload/mpi_world.h"

namespace pyrometer::preload {
namespace {

std::atomic<const pyrometer_agent_table*> known_agent{nullptr};
std::atomic<RealFunction> real_functions[kFunctions][kBindings];

// Where the outermost MPI call of this thread keeps its frame; MPI functions call each other, and
// only that one counts. Frames below it are inside; one above it tells that the call was left by
// an exception or a jump.
thread_local std::uintptr_t outermost [[gnu::tls_model("initial-exec")]] = 0;

RealFunction real_function(FunctionId id, Binding binding) {
  auto& known = real_functions[static_cast<std::size_t>(id)][static_cast<std::size_t>(binding)];
  RealFunction real = known.load(std::memory_order_acquire);
  if (real == nullptr) {
    real = find_real_function(id, binding);
    known.store(real, std::memory_order_release);
  }
  return real;
}

Slot call(RealFunction real, const Slot* s) {
  return real(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12],
              s[13]);
}

// The program saw our symbol and took it for the library's.
Slot refuse() {
  constexpr Slot kOtherError = 16;  // MPI_ERR_OTHER, or another error
  return kOtherError;
}

void tell_of_abort(const pyrometer_agent_table& agent, Binding binding, const Slot* slots) {
  auto code = static_cast<std::int32_t>(slots[1]);
  if (binding != Binding::kC)
    std::memcpy(&code, reinterpret_cast<const char*>(slots[1]), sizeof(code));
  agent.mpi_abort(code);
}

void begin_with(const pyrometer_agent_table& agent) {
  replace_imports();
  describe_world(mpi_library(Binding::kC), agent);
}

}  // namespace

Slot forward(FunctionId id, Binding binding, const Slot* slots) {
  const RealFunction real = real_function(id, binding);
  if (real == nullptr) return refuse();
  const auto* agent = known_agent.load(std::memory_order_acquire);
  const auto frame = reinterpret_cast<std::uintptr_t>(slots);
  if (outermost != 0 && frame < outermost) return call(real, slots);
  if (agent != nullptr) {
    if (id == FunctionId::kAbort) tell_of_abort(*agent, binding, slots);
    const Amount amount = amount_of(function(id).arguments, binding, mpi_library(binding), slots);
    outermost = frame;
    agent->mpi_begin(static_cast<std::uint32_t>(id), amount.bytes, amount.communicator);
  }
  const Slot result = call(real, slots);
  if (agent != nullptr) {
    agent->mpi_end();
    outermost = 0;
  }
  const bool begins = id == FunctionId::kInit || id == FunctionId::kInit_thread;
  if (begins && agent != nullptr) begin_with(*agent);
  return result;
}

void meet_agent(const pyrometer_agent_table* agent) {
  if (agent->version < 1 || agent->size < sizeof(*agent)) return;  // an older one
  known_agent.store(agent, std::memory_order_release);
}

}  // namespace pyrometer::preload
