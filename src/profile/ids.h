// The row numbers of a Profile's tables.
#pragma once

#include "base/id.h"
#include "profile/metric.h"
#include "profile/string_table.h"

namespace pyrometer {

using ModuleId = Id<struct Module>;
using FunctionId = Id<struct Function>;
using NodeId = Id<struct Node>;
using ProcessId = Id<struct Process>;
using ThreadId = Id<struct Thread>;

}  // namespace pyrometer
