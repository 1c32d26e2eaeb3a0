// What `memray stats --json` writes: totals, and the places that allocated most bytes or most
// often. What these leave of the totals is shown as one row, so that shares are right.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "formats/json_values.h"
#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "load/json/json_formats.h"

namespace pyrometer {
namespace {

struct TopList {
  std::string_view table;
  std::string_view value;
  std::string_view total;
  Metric metric;
};

}  // namespace

Result<Profile> load_memray_stats(const json::object& file, Detail) {
  const TopList lists[] = {
      {"top_allocations_by_size",
       "size",
       "total_bytes_allocated",
       {std::string(metric::kAllocated), Unit::kBytes}},
      {"top_allocations_by_count", "count", "total_num_allocations", {"allocations"}},
  };
  ProfileBuilder builder;
  ForeignThreads threads(builder);
  PYROMETER_TRY(const ThreadId thread, threads.thread("", "main"));
  for (const TopList& list : lists) {
    const auto whole = scaled_in(file, list.total, 1);
    const json::array* rows = array_in(file, list.table);
    if (!whole || rows == nullptr) {
      return fail(ErrorCode::kCorrupt, "this file of memray stats has no '{}' or '{}'", list.total,
                  list.table);
    }
    const MetricId metric = builder.metric(list.metric);
    std::int64_t rest = *whole;
    for (const json::value& value : *rows) {
      const json::object* row = value.if_object();
      const auto amount = row == nullptr ? std::nullopt : scaled_in(*row, list.value, 1);
      if (!amount) {
        return fail(ErrorCode::kCorrupt, "'{}' of this file of memray stats has a row without '{}'",
                    list.table, list.value);
      }
      const ForeignFrame frame = split_location(text_in(*row, "location"));
      const NodeId node = builder.node(
          NodeId::none(), foreign_function(builder, frame.name, frame.file, 0), frame.line);
      builder.values(thread).row(node)[metric] += *amount;
      rest -= *amount;
    }
    if (rest <= 0) continue;
    const FunctionId others = builder.function(
        {.kind = FunctionKind::kLabel, .name = "other places", .qualified_name = "other places"});
    builder.values(thread).row(builder.node(NodeId::none(), others, 0))[metric] += rest;
  }
  builder.profile().notes.emplace_back(
      "memray's statistics name only the places that allocated most; `memray transform csv` has "
      "all of them");
  return builder.finish();
}

}  // namespace pyrometer
