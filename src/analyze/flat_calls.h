// The function totals and call edges of one thread, to be changed function by function.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

class FlatCalls {
 public:
  // `values` are all of one thread; `metric` says how much of a function belongs to which caller.
  FlatCalls(const Profile& profile, std::span<const FlatValue> values, MetricId metric);

  // Gives what the function cost and called to its callers; false when it has none.
  Result<bool> fold(FunctionId function);

  std::vector<FlatValue> values() const;

 private:
  struct Figure {
    std::int64_t self = 0;
    std::int64_t total = 0;
  };
  using Figures = std::vector<Figure>;  // by metric
  using Edge = std::pair<FunctionId, FunctionId>;

  void connect(const Edge& edge);
  void disconnect(const Edge& edge);
  // Parts of a whole by caller of `function`, as the edges say; they add up to 1.
  std::vector<std::pair<FunctionId, double>> callers_of(FunctionId function) const;
  void add_own_cost(FunctionId function, std::size_t metric, std::int64_t value);
  void divide_edge(const Figures& figures, FunctionId callee,
                   const std::vector<std::pair<FunctionId, double>>& callers);

  const Profile& profile_;
  ThreadId thread_;
  MetricId metric_;
  std::map<FunctionId, Figures> functions_;
  std::map<Edge, Figures> edges_;
  std::map<FunctionId, std::set<FunctionId>> callers_;
  std::map<FunctionId, std::set<FunctionId>> callees_;
};

}  // namespace pyrometer
