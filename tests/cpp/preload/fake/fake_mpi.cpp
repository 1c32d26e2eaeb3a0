#include "preload/fake/fake_mpi.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

using Slot = std::intptr_t;

namespace {

constexpr int kCommunicatorSize = 4;
constexpr int kDouble = 0x4c00080b;
constexpr int kNoDatatype = 0x0c000000;
constexpr int kIntercommunicator = 0x55;

FakeCalls calls;

Slot note(const char* name, std::initializer_list<Slot> slots) {
  ++calls.count;
  calls.name = name;
  std::size_t i = 0;
  for (const Slot slot : slots) calls.slots[i++] = slot;
  return 0;
}

// A real library ends the program when it is asked about nothing.
int size_of_type(int datatype) {
  if (datatype == kNoDatatype) std::abort();
  return datatype == kDouble ? 8 : 1;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's.
extern "C" {

int in_place_of_fortran;
void* MPIR_F_MPI_IN_PLACE = &in_place_of_fortran;
FakeCalls* fake_calls() { return &calls; }

void MPIR_Dup_fn() {}

int PMPI_Init(int*, char***) { return 0; }
int PMPI_Initialized(int* flag) { return *flag = 1, 0; }
int PMPI_Query_thread(int* level) { return *level = 3, 0; }
int PMPI_Get_library_version(char* text, int* length) {
  std::strcpy(text, "Fake MPI 1.0\nmore");
  *length = static_cast<int>(std::strlen(text));
  return 0;
}
int PMPI_Type_size(int datatype, int* size) { return *size = size_of_type(datatype), 0; }
int PMPI_Comm_size(int, int* size) { return *size = kCommunicatorSize, 0; }
int PMPI_Comm_rank(int, int* rank) { return *rank = 3, 0; }
int PMPI_Comm_test_inter(int communicator, int* flag) {
  return *flag = communicator == kIntercommunicator ? 1 : 0, 0;
}
int PMPI_Comm_remote_size(int, int* size) { return *size = 2, 0; }

Slot PMPI_Send(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f) {
  return note("Send", {a, b, c, d, e, f});
}
// All twelve arguments matter.
Slot PMPI_Sendrecv(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot h, Slot i, Slot j,
                   Slot k, Slot l) {
  return note("Sendrecv", {a, b, c, d, e, f, g, h, i, j, k, l});
}
Slot PMPI_Scatter(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot h) {
  return note("Scatter", {a, b, c, d, e, f, g, h});
}
Slot PMPI_Alltoallv(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot h, Slot i) {
  return note("Alltoallv", {a, b, c, d, e, f, g, h, i});
}
Slot PMPI_Bcast(Slot a, Slot b, Slot c, Slot d, Slot e) { return note("Bcast", {a, b, c, d, e}); }
Slot PMPI_Abort(Slot a, Slot b) { return note("Abort", {a, b}); }
Slot PMPI_Wait(Slot a, Slot b) { return note("Wait", {a, b}); }

// Only under its plain name.
Slot MPI_Ssend(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f) {
  return note("Ssend", {a, b, c, d, e, f});
}
// An MPI function that calls another one, as the program would.
Slot PMPI_Barrier(Slot communicator) {
  using Function = Slot (*)(Slot, Slot, Slot, Slot, Slot, Slot);
  auto* send = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "MPI_Send"));
  if (send != nullptr) send(0, 1, kDouble, 0, 0, communicator);
  return note("Barrier", {communicator});
}

// Fortran: everything is an address.
void pmpi_init_(int* error) { *error = 0; }
void pmpi_type_size_(const int* datatype, int* size, int* error) {
  *size = size_of_type(*datatype);
  *error = 0;
}
void pmpi_comm_size_(const int*, int* size, int* error) { *size = kCommunicatorSize, *error = 0; }
void pmpi_comm_test_inter_(const int*, int* flag, int* error) { *flag = *error = 0; }
void pmpi_comm_remote_size_(const int*, int* size, int* error) { *size = *error = 0; }
void pmpi_sendrecv_(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot h, Slot i, Slot j,
                    Slot k, Slot l, Slot error) {
  note("sendrecv_", {a, b, c, d, e, f, g, h, i, j, k, l, error});
}
void pmpi_allgather_(Slot a, Slot b, Slot c, Slot d, Slot e, Slot f, Slot g, Slot error) {
  note("allgather_", {a, b, c, d, e, f, g, error});
}
}
// NOLINTEND(readability-identifier-naming)
