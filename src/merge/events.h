// Regions, counters and messages of one process, packed for a spool. Their order depends on
// nothing but themselves, and threads are known by their class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/merged_tables.h"
#include "store/pyro_writer.h"

namespace pyrometer {

// By process of `profile`: what happened in it; empty where nothing did. Counters with many points
// keep their ups and downs.
std::vector<std::string> pack_events(const Profile& profile);

// Writes the packed events of one process; `tables` has its threads.
Result<void> write_events(std::string_view packed, const MergedTables& tables, ProcessId process,
                          PyroWriter& writer);

}  // namespace pyrometer
