// Functions, their costs and their call edges as members of JSON objects.
#pragma once

#include "base/json_writer.h"
#include "report/call_side.h"
#include "report/report.h"

namespace pyrometer {

void write_function_names(JsonWriter& json, const Profile& profile, const Function& function);
void write_cost(JsonWriter& json, const CallCost& cost);

// A member of that name: what the edges of `subject` on one side cost, heaviest first.
void write_edges(JsonWriter& json, const Overview& overview, const ReportOptions& options,
                 std::string_view name, FunctionId subject, const CallSide& side);

}  // namespace pyrometer
