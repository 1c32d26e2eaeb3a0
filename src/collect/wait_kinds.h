// What a thread that sits in a system call is waiting for.
#pragma once

#include <string>

#include "collect/metrics.h"
#include "cpython/symbols.h"
#include "os/task_files.h"

namespace pyrometer {

struct Wait {
  TimeKind kind = TimeKind::kIdle;
  std::string label;  // "(clock_nanosleep)"
};

Wait wait_of(const TaskState& state, const Symbols& symbols);

}  // namespace pyrometer
