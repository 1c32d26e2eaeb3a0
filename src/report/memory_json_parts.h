// Parts of the JSON about memory.
#pragma once

#include <optional>

#include "base/json_writer.h"
#include "report/memory_report.h"

namespace pyrometer {

// The members of an object that is open.
void write_figures(JsonWriter& json, const MemoryFigures& figures);

// Null where it is unknown.
void write_memory_peak(JsonWriter& json, const char* name, const std::optional<MemoryPeak>& peak);

// "processes", "spread" and "hosts".
void write_memory_comparison(JsonWriter& json, const MemorySubject& subject);

}  // namespace pyrometer
