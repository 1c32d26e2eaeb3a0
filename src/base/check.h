// For our own bugs, never for input: a failed check names its place and stops.
#pragma once

#include <cstdio>
#include <cstdlib>

#define PYROMETER_CHECK(condition)                                                         \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      std::fprintf(stderr, "pyrometer: internal error at %s:%d: %s\n", __FILE__, __LINE__, \
                   #condition);                                                            \
      std::abort();                                                                        \
    }                                                                                      \
  } while (false)
