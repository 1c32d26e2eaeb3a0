// Tables of memory by line as memory_profiler prints them.
#pragma once

#include "analyze/memory_lines.h"
#include "base/json_writer.h"
#include "report/lines_text.h"

namespace pyrometer {

std::string memory_lines_text(const std::vector<MemoryFunction>& functions,
                              const ReadSource& read_source);
// docs/memory-lines.schema.json describes it.
std::string memory_lines_json(const std::vector<MemoryFunction>& functions,
                              const ReadSource& read_source);
// Its member "functions".
void write_memory_lines(JsonWriter& json, const std::vector<MemoryFunction>& functions,
                        const ReadSource& read_source);

}  // namespace pyrometer
