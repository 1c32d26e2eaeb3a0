#include "preload/mpi_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstring>

#include "preload/loaded_library.h"

namespace pyrometer::preload {
namespace {

// What a library with the binding defines.
constexpr const char* kMarks[kBindings] = {"PMPI_Init", "pmpi_init_", "pmpi_init_f08_"};

bool defines(void* handle, const char* symbol) {
  const void* found = dlsym(handle, symbol);
  return found != nullptr;
}

template <class F>
void find(void* handle, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(handle, name));
}

Slot address_of(void* handle, const char* name) {
  return reinterpret_cast<Slot>(dlsym(handle, name));
}

bool is_own(RealFunction function) {
  Dl_info own{};
  Dl_info other{};
  return dladdr(reinterpret_cast<const void*>(&find_real_function), &own) != 0 &&
         dladdr(reinterpret_cast<const void*>(function), &other) != 0 &&
         own.dli_fbase == other.dli_fbase;
}

bool is_standard_abi(void* handle) {
  Dl_info info{};
  const void* init = dlsym(handle, "PMPI_Init");
  return dladdr(init, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, "mpi_abi") != nullptr;
}

// Handles are addresses in Open MPI, numbers in MPICH and all that share its interface (which is
// told by a function that its header refers to), constants in the standard ABI of MPI 5.
Constants constants_of_c(void* handle) {
  constexpr Slot kInPlaceValues[] = {1, -1};  // Open MPI and standard, MPICH: never addresses
  Constants constants;
  constants.in_place[0] = kInPlaceValues[0];
  constants.in_place[1] = kInPlaceValues[1];
  constants.are_known = true;
  if (defines(handle, "ompi_mpi_comm_world")) {
    constants.world = address_of(handle, "ompi_mpi_comm_world");
    constants.no_communicator = address_of(handle, "ompi_mpi_comm_null");
    constants.no_datatype = address_of(handle, "ompi_mpi_datatype_null");
  } else if (is_standard_abi(handle)) {
    constants.world = 0x101;
    constants.no_communicator = 0x100;
    constants.no_datatype = 0x200;
  } else if (defines(handle, "MPIR_Dup_fn")) {
    constants.world = 0x44000000;
    constants.no_communicator = 0x04000000;
    constants.no_datatype = 0x0c000000;
  } else {
    constants.are_known = false;
  }
  return constants;
}

Constants constants_of_fortran(void* handle) {
  Constants constants;
  if (defines(handle, "mpi_fortran_in_place_")) {
    // Open MPI has one for each way to write names; programs have copies, and which one counts
    // depends on how the libraries were loaded.
    constexpr const char* kNames[] = {"mpi_fortran_in_place_", "mpi_fortran_in_place__",
                                      "mpi_fortran_in_place", "MPI_FORTRAN_IN_PLACE"};
    constants.are_known = true;
    constants.no_communicator = 2;
    constants.no_datatype = 0;
    std::size_t i = 0;
    for (const char* name : kNames) {
      constants.in_place[i++] = address_of(handle, name);
      constants.in_place[i++] = address_of(RTLD_DEFAULT, name);
    }
  } else if (const void* at = dlsym(handle, "MPIR_F_MPI_IN_PLACE")) {
    constants.are_known = true;
    constants.no_communicator = 0x04000000;
    constants.no_datatype = 0x0c000000;
    std::memcpy(&constants.in_place[0], at, sizeof(Slot));
  }
  return constants;
}

LoadedMpi find_mpi_library(Binding binding) {
  LoadedMpi library;
  library.handle = find_library(&defines, kMarks[static_cast<std::size_t>(binding)]);
  if (library.handle == nullptr) return library;
  const bool is_c = binding == Binding::kC;
  library.constants = is_c ? constants_of_c(library.handle) : constants_of_fortran(library.handle);
  Queries& queries = library.queries;
  find(library.handle, is_c ? "PMPI_Type_size" : "pmpi_type_size_", queries.type_size);
  find(library.handle, is_c ? "PMPI_Comm_size" : "pmpi_comm_size_", queries.comm_size);
  find(library.handle, is_c ? "PMPI_Comm_test_inter" : "pmpi_comm_test_inter_",
       queries.comm_test_inter);
  find(library.handle, is_c ? "PMPI_Comm_remote_size" : "pmpi_comm_remote_size_",
       queries.comm_remote_size);
  if (queries.type_size == nullptr || queries.comm_size == nullptr ||
      queries.comm_test_inter == nullptr || queries.comm_remote_size == nullptr) {
    library.constants.are_known = false;
  }
  return library;
}

struct Known {
  std::atomic<bool> is_known{false};
  LoadedMpi library;
};
Known known[kBindings];
pthread_mutex_t search_mutex = PTHREAD_MUTEX_INITIALIZER;

}  // namespace

const LoadedMpi& mpi_library(Binding binding) {
  Known& wanted = known[static_cast<std::size_t>(binding)];
  if (wanted.is_known.load(std::memory_order_acquire)) return wanted.library;
  pthread_mutex_lock(&search_mutex);
  if (!wanted.is_known.load(std::memory_order_relaxed)) {
    wanted.library = find_mpi_library(binding);
    wanted.is_known.store(wanted.library.handle != nullptr, std::memory_order_release);
  }
  pthread_mutex_unlock(&search_mutex);
  return wanted.library;
}

// Where a library has no profiling interface the plain name serves, unless that is ours.
RealFunction find_real_function(FunctionId id, Binding binding) {
  const auto column = static_cast<std::size_t>(binding);
  const MpiFunction& wanted = function(id);
  void* handle = mpi_library(binding).handle;
  if (handle == nullptr || wanted.real[column] == nullptr) return nullptr;
  RealFunction found = nullptr;
  find(handle, wanted.real[column], found);
  if (found == nullptr) find(handle, wanted.plain[column], found);
  return found == nullptr || is_own(found) ? nullptr : found;
}

}  // namespace pyrometer::preload
