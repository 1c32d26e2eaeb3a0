#include "analyze/flat_calls.h"

#include <algorithm>
#include <cmath>

#include "analyze/names.h"
#include "analyze/transform_nodes.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostNewEdges = 1'000'000;

// Hands a whole number out in parts that add up to it.
class Division {
 public:
  explicit Division(std::int64_t whole) : whole_(whole) {}

  std::int64_t next(double share, bool is_last) {
    sum_ += share;
    const std::int64_t upto = is_last ? whole_ : std::llround(sum_ * static_cast<double>(whole_));
    const std::int64_t part = upto - given_;
    given_ = upto;
    return part;
  }

 private:
  std::int64_t whole_;
  std::int64_t given_ = 0;
  double sum_ = 0;
};

// Whether the metric is what a function used, which its caller can take over.
bool is_cost(const Metric& metric) {
  return !is_count_of_calls(metric) && metric.name != metric::kStackSamples;
}

}  // namespace

FlatCalls::FlatCalls(const Profile& profile, std::span<const FlatValue> values, MetricId metric)
    : profile_(profile), thread_(values.front().thread), metric_(metric) {
  for (const FlatValue& flat : values) {
    const Edge edge{flat.caller, flat.callee};
    Figures& figures = flat.caller.is_none() ? functions_[flat.callee] : edges_[edge];
    figures.resize(profile.metrics.size());
    figures[flat.metric.row()].self += flat.self;
    figures[flat.metric.row()].total += flat.total;
    if (!flat.caller.is_none()) connect(edge);
  }
}

void FlatCalls::connect(const Edge& edge) {
  callers_[edge.second].insert(edge.first);
  callees_[edge.first].insert(edge.second);
}

void FlatCalls::disconnect(const Edge& edge) {
  edges_.erase(edge);
  callers_[edge.second].erase(edge.first);
  callees_[edge.first].erase(edge.second);
}

std::vector<std::pair<FunctionId, double>> FlatCalls::callers_of(FunctionId function) const {
  std::vector<std::pair<FunctionId, double>> shares;
  const auto found = callers_.find(function);
  if (found == callers_.end()) return shares;
  // By time; where there is none, by calls, else evenly.
  const auto calls = profile_.find_metric(metric::kCalls).value_or(metric_);
  for (const MetricId metric : {metric_, calls}) {
    double sum = 0;
    shares.clear();
    for (const FunctionId caller : found->second) {
      if (caller == function) continue;
      const Figure& figure = edges_.at({caller, function})[metric.row()];
      const double weight = std::max(0.0, static_cast<double>(figure.total));
      shares.emplace_back(caller, weight);
      sum += weight;
    }
    if (sum <= 0) continue;
    for (auto& [caller, share] : shares) share /= sum;
    return shares;
  }
  for (auto& [caller, share] : shares) share = 1.0 / static_cast<double>(shares.size());
  return shares;
}

// The function now does this itself, on behalf of its own callers.
void FlatCalls::add_own_cost(FunctionId function, std::size_t metric, std::int64_t value) {
  Figures& figures = functions_[function];
  figures.resize(profile_.metrics.size());
  figures[metric].self += value;
  const auto callers = callers_of(function);
  Division division(value);
  for (std::size_t i = 0; i < callers.size(); ++i) {
    edges_.at({callers[i].first, function})[metric].self +=
        division.next(callers[i].second, i + 1 == callers.size());
  }
}

void FlatCalls::divide_edge(const Figures& figures, FunctionId callee,
                            const std::vector<std::pair<FunctionId, double>>& callers) {
  for (std::size_t metric = 0; metric < figures.size(); ++metric) {
    if (figures[metric].self == 0 && figures[metric].total == 0) continue;
    Division self(figures[metric].self);
    Division total(figures[metric].total);
    for (std::size_t i = 0; i < callers.size(); ++i) {
      const bool is_last = i + 1 == callers.size();
      const Figure part{self.next(callers[i].second, is_last),
                        total.next(callers[i].second, is_last)};
      if (part.self == 0 && part.total == 0) continue;
      const Edge edge{callers[i].first, callee};
      Figures& sum = edges_[edge];
      sum.resize(figures.size());
      sum[metric].self += part.self;
      sum[metric].total += part.total;
      connect(edge);
    }
  }
}

Result<bool> FlatCalls::fold(FunctionId function) {
  const auto callers = callers_of(function);
  if (callers.empty()) return false;
  const std::set<FunctionId> callees = callees_[function];
  if (callers.size() * callees.size() > kMostNewEdges) {
    return fail(ErrorCode::kTooLarge,
                "{} has {} callers and {} callees in a file without call paths: too many to tell "
                "who called whom; record the program with 'pyrometer run' to fold it",
                short_name(profile_, profile_.functions[function.row()]), callers.size(),
                callees.size());
  }
  const Figures own = functions_[function];
  for (const FunctionId callee : callees) {
    const Figures figures = edges_.at({function, callee});
    disconnect({function, callee});
    if (callee != function) divide_edge(figures, callee, callers);
  }
  for (const auto& [caller, share] : callers) disconnect({caller, function});
  for (std::size_t metric = 0; metric < own.size(); ++metric) {
    if (own[metric].self == 0 || !is_cost(profile_.metrics[metric])) continue;
    Division division(own[metric].self);
    for (std::size_t i = 0; i < callers.size(); ++i) {
      add_own_cost(callers[i].first, metric,
                   division.next(callers[i].second, i + 1 == callers.size()));
    }
  }
  functions_.erase(function);
  return true;
}

std::vector<FlatValue> FlatCalls::values() const {
  std::vector<FlatValue> values;
  const auto add = [&](FunctionId caller, FunctionId callee, const Figures& figures) {
    for (std::size_t metric = 0; metric < figures.size(); ++metric) {
      values.push_back({thread_, MetricId::from_index(metric), caller, callee, figures[metric].self,
                        figures[metric].total});
    }
  };
  for (const auto& [function, figures] : functions_) add(FunctionId::none(), function, figures);
  for (const auto& [edge, figures] : edges_) add(edge.first, edge.second, figures);
  return values;
}

}  // namespace pyrometer
