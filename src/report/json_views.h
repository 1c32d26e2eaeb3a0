// Views of a report as members of its JSON document, one function each.
#pragma once

#include "base/json_writer.h"
#include "report/report.h"
#include "report/shown_tree.h"

namespace pyrometer {

void write_scope(JsonWriter& json, const ReportSubject& subject);
void write_origins(JsonWriter& json, const Overview& overview);
void write_groups(JsonWriter& json, const Overview& overview, const ReportOptions& options);
void write_loops(JsonWriter& json, const Overview& overview, const ReportOptions& options);
void write_sandwich(JsonWriter& json, const Overview& overview, const ReportOptions& options);
void write_tree(JsonWriter& json, const Overview& overview, const ReportOptions& options,
                std::string_view name, const ShownTree& shown);

}  // namespace pyrometer
