// The tables of a merged file that come before its values.
#pragma once

#include "base/result.h"
#include "store/merged_tables.h"
#include "store/sqlite.h"

namespace pyrometer {

Result<void> write_tables(const Database& database, const MergedTables& tables);

}  // namespace pyrometer
