// Lines that were measured one by one: hits and times, or memory.
#include <map>

#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/scope.h"

namespace pyrometer {
namespace {

struct LineColumn {
  std::string_view name;
  std::string_view metric;
  bool is_optional = false;  // left out where nothing has it
  std::vector<double> values = {};
};

using MeasuredLine = std::pair<FunctionId, std::uint32_t>;

}  // namespace

Result<Answer> answer_lines(const ViewedProfile& viewed, const Request& request) {
  const Profile* profile = &viewed.summary();
  ViewScope scope;
  if (has_scope(request)) {
    PYROMETER_TRY(profile, viewed.whole());
    PYROMETER_TRY(scope, parse_scope(request, *profile));
    if (scope.is_in_time()) {
      return fail(ErrorCode::kUnsupported, "Measured lines are known only for the whole run.");
    }
  }
  std::map<MeasuredLine, std::size_t> rows;
  for (const LineValue& value : profile->line_values) {
    if (scope.has(value.thread)) rows.try_emplace({value.function, value.line}, 0);
  }
  std::vector<std::uint32_t> functions, lines;
  for (auto& [place, row] : rows) {
    row = functions.size();
    functions.push_back(place.first.row());
    lines.push_back(place.second);
  }
  LineColumn columns[] = {{"hits", metric::kHits},
                          {"time", metric::kLineTime},
                          {"self", metric::kLineSelf},
                          {"memory", metric::kMemory, true},
                          {"increment", metric::kIncrement, true},
                          {"peak", metric::kLinePeak, true},
                          {"temporary", metric::kLineTemporary, true}};
  ColumnsWriter out(request.is_packed);
  out.add("function", std::span<const std::uint32_t>(functions));
  out.add("line", std::span<const std::uint32_t>(lines));
  for (LineColumn& column : columns) {
    const auto metric = profile->find_metric(column.metric);
    if (!metric && column.is_optional) continue;
    column.values.resize(rows.size());
    for (const LineValue& value : profile->line_values) {
      if (value.metric != metric || !scope.has(value.thread)) continue;
      double& sum = column.values[rows.at({value.function, value.line})];
      const bool is_level = profile->metrics[value.metric.row()].combine == Combine::kMax;
      const auto next = static_cast<double>(value.value);
      sum = is_level ? std::max(sum, next) : sum + next;
    }
    out.add(column.name, std::span<const double>(column.values));
  }
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer
