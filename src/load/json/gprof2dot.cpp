// gprof2dot's own JSON, which memray writes as well: call chains with costs, innermost first.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "formats/json_values.h"
#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "load/json/json_formats.h"

namespace pyrometer {
namespace {

struct Cost {
  MetricId metric;
  double factor = 1;
};

struct CostUnit {
  std::string_view name;
  double nanoseconds;
};
constexpr CostUnit kTimes[] = {
    {"ns", 1},   {"nanoseconds", 1},    {"us", 1e3}, {"µs", 1e3},  {"microseconds", 1e3},
    {"ms", 1e6}, {"milliseconds", 1e6}, {"s", 1e9},  {"sec", 1e9}, {"seconds", 1e9}};

Cost cost_of(ProfileBuilder& builder, const json::object& row) {
  const std::string_view unit = text_in(row, "unit");
  if (unit == "bytes") {
    return {builder.metric({std::string(metric::kAllocated), Unit::kBytes})};
  }
  for (const CostUnit& time : kTimes) {
    if (unit == time.name) {
      return {builder.metric({std::string(metric::kWall), Unit::kNanoseconds}), time.nanoseconds};
    }
  }
  if (unit == "samples") {
    builder.profile().is_sampled = true;
    return {builder.metric({std::string(metric::kSamples)})};
  }
  const std::string_view description = text_in(row, "description");
  return {builder.metric({std::string(description.empty() ? "cost" : description)})};
}

}  // namespace

Result<Profile> load_gprof2dot_json(const json::object& file, Detail) {
  constexpr std::size_t kMostCosts = 64;
  const json::array* functions = array_in(file, "functions");
  const json::array* events = array_in(file, "events");
  const json::array* costs = array_in(file, "costs");
  if (functions == nullptr || events == nullptr || costs == nullptr || costs->empty()) {
    return fail(ErrorCode::kCorrupt,
                "this gprof2dot file has not all of 'functions', 'events' and 'costs'");
  }
  ProfileBuilder builder;
  ForeignThreads threads(builder);
  PYROMETER_TRY(const ThreadId thread, threads.thread("", "main"));
  std::vector<Cost> kinds;
  for (const json::value& value : *costs) {
    const json::object* row = value.if_object();
    if (row == nullptr || kinds.size() == kMostCosts) {
      return fail(ErrorCode::kCorrupt, "cost {} of this gprof2dot file is not sound", kinds.size());
    }
    kinds.push_back(cost_of(builder, *row));
  }
  std::vector<FunctionId> ids;
  for (const json::value& value : *functions) {
    const json::object* row = value.if_object();
    if (row == nullptr) {
      return fail(ErrorCode::kCorrupt, "function {} of this gprof2dot file is not an object",
                  ids.size());
    }
    ids.push_back(foreign_function(builder, text_in(*row, "name"), text_in(*row, "module"), 0));
  }
  for (std::size_t number = 0; number < events->size(); ++number) {
    const auto broken = [&](std::string_view what) {
      return fail(ErrorCode::kCorrupt, "event {} of this gprof2dot file {}", number, what);
    };
    const json::object* event = (*events)[number].if_object();
    const json::array* chain = event == nullptr ? nullptr : array_in(*event, "callchain");
    const json::array* values = event == nullptr ? nullptr : array_in(*event, "cost");
    if (chain == nullptr || values == nullptr) return broken("has no call chain or no cost");
    NodeId node = NodeId::none();
    for (std::size_t i = chain->size(); i-- > 0;) {
      const auto row = row_of((*chain)[i], ids.size());
      if (!row) return broken("has a function that is not in the table");
      node = builder.node(node, ids[*row], 0);
    }
    if (node.is_none()) continue;
    ValueRows::Row row = builder.values(thread).row(node);
    for (std::size_t i = 0; i < std::min(values->size(), kinds.size()); ++i) {
      const auto value = scaled((*values)[i], kinds[i].factor);
      if (!value) return broken("has a cost that is not a number");
      row[kinds[i].metric] += *value;
    }
  }
  return builder.finish();
}

}  // namespace pyrometer
