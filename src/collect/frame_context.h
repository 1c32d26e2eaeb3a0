// What reading this interpreter's frames needs; valid until the process ends.
#pragma once

#include "collect/code_table.h"
#include "collect/task_finder.h"
#include "cpython/layout.h"
#include "cpython/symbols.h"

namespace pyrometer {

struct FrameContext {
  Symbols symbols;
  Layout layout;
  CodeTable* codes = nullptr;   // none: frames cannot be read
  TaskFinder* tasks = nullptr;  // none: tasks of asyncio are not told apart
};

}  // namespace pyrometer
