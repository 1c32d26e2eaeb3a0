#include "profile/mpi_values.h"

#include <algorithm>

#include "profile/builder.h"

namespace pyrometer {

bool is_mpi_function(const Profile& profile, const Function& function) {
  return function.kind == FunctionKind::kNative && profile.text(function.short_file) == kMpiFile;
}

bool is_derived_of_mpi_calls(std::string_view metric) {
  return metric == metric::kMpiTime || metric == metric::kMpiWait || metric == metric::kMpiCalls ||
         metric == metric::kMpiBytes;
}

void QuickestMpiCalls::add(FunctionId function, const MpiCalls& calls) {
  const auto [found, is_new] = quickest_.try_emplace(key(function, calls), calls.quickest);
  if (!is_new) found->second = std::min(found->second, calls.quickest);
}

std::int64_t QuickestMpiCalls::wait(FunctionId function, const MpiCalls& calls) const {
  const auto found = quickest_.find(key(function, calls));
  const std::int64_t transfer = found == quickest_.end() ? 0 : found->second * calls.calls;
  return std::clamp<std::int64_t>(calls.time - transfer, 0, std::max<std::int64_t>(0, calls.time));
}

void ProfileBuilder::add_mpi_calls(const MpiCalls& calls) { profile_.mpi_calls.push_back(calls); }

void ProfileBuilder::derive_mpi_values() {
  if (profile_.mpi_calls.empty()) return;
  const auto function_of = [&](const MpiCalls& calls) {
    return profile_.nodes[calls.node.row()].function;
  };
  QuickestMpiCalls quickest;
  for (const MpiCalls& calls : profile_.mpi_calls) quickest.add(function_of(calls), calls);
  const MetricId time = metric({std::string(metric::kMpiTime), Unit::kNanoseconds});
  const MetricId wait = metric({std::string(metric::kMpiWait), Unit::kNanoseconds});
  const MetricId count = metric({std::string(metric::kMpiCalls), Unit::kCount});
  const MetricId bytes = metric({std::string(metric::kMpiBytes), Unit::kBytes});
  for (const MpiCalls& calls : profile_.mpi_calls) {
    ValueRows::Row row = values(calls.thread).row(calls.node);
    row[time] += calls.time;
    row[wait] += quickest.wait(function_of(calls), calls);
    row[count] += calls.calls;
    row[bytes] += calls.bytes;
  }
}

}  // namespace pyrometer
