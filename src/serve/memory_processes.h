// The peaks and limits of processes as columns.
#pragma once

#include <vector>

#include "analyze/memory/memory_facts.h"
#include "serve/columns.h"

namespace pyrometer {

// Columns process.row, process.heap and so on, those with the highest peaks first; gives the number
// of processes that are left out.
std::size_t write_memory_processes(ColumnsWriter& out, std::vector<ProcessMemory> processes);

}  // namespace pyrometer
