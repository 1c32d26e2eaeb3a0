// An MPI library of few functions, as MPICH lays them out, which tells what it was called with.
#pragma once

#include <cstdint>

struct FakeCalls {
  int count;                // of all functions that are forwarded to
  std::intptr_t slots[14];  // of the last one
  const char* name;
};
