#include "load/memray_csv.h"

#include <ranges>

#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "profile/builder.h"

namespace pyrometer {

Result<Profile> load_memray_csv(std::string_view text) {
  ProfileBuilder builder;
  ForeignThreads threads(builder);
  const MetricId bytes = builder.metric({std::string(metric::kAllocated), Unit::kBytes});
  const MetricId allocations = builder.metric({"allocations"});
  MemrayCsvReader reader(text);
  MemrayRow row;
  while (true) {
    PYROMETER_TRY(const bool has_row, reader.next(row));
    if (!has_row) break;
    PYROMETER_TRY(const ThreadId thread, threads.thread("", std::string(row.tid)));
    if (!row.thread_name.empty()) threads.set_name(thread, row.thread_name);
    NodeId node = NodeId::none();
    for (const auto& frame : std::views::reverse(row.stack)) {
      node =
          builder.node(node, foreign_function(builder, frame.function, frame.file, 0), frame.line);
    }
    if (node.is_none()) {
      node = builder.node(NodeId::none(),
                          builder.function({.kind = FunctionKind::kLabel,
                                            .name = "without a stack",
                                            .qualified_name = "without a stack"}),
                          0);
    }
    ValueRows::Row values = builder.values(thread).row(node);
    values[bytes] += row.bytes;
    values[allocations] += row.allocations;
  }
  return builder.finish();
}

}  // namespace pyrometer
