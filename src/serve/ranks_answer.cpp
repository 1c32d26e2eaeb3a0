// What functions cost each process: the heatmap of ranks.
#include <algorithm>
#include <cmath>

#include "profile/value_rows.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/function_values.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kDefaultMost = 100;
constexpr std::uint32_t kLargestMost = 2000;

// The values of all functions, process by process: the table of everything may not fit in memory.
class ProcessCosts {
 public:
  ProcessCosts(const Profile& profile, MetricId metric, bool total)
      : profile_(profile),
        metric_(metric),
        combine_(profile.metrics[metric.row()].combine),
        total_(total),
        sums_(profile),
        threads_(profile.processes.size()),
        flat_(profile.processes.size()),
        values_(profile.functions.size()) {
    std::vector<bool> has_flat(profile.threads.size());
    for (const FlatValue& value : profile.flat_values) {
      has_flat[value.thread.row()] = true;
      if (value.caller.is_none() && value.metric == metric) {
        flat_[profile.threads[value.thread.row()].process.row()].push_back(&value);
      }
    }
    for (std::size_t i = 0; i < profile.thread_cells.size(); ++i) {
      // Where functions were recorded by themselves, the tree is an estimate of them.
      if (!has_flat[i]) threads_[profile.threads[i].process.row()].push_back(i);
    }
  }

  // visit(function row, value) for each function that the process has a value of.
  template <class Visit>
  void for_each(std::size_t process, Visit visit) {
    for (const FlatValue* value : flat_[process]) {
      std::int64_t& sum = values_[value->callee.row()];
      sum = combined(combine_, sum, total_ ? value->total : value->self);
    }
    for (const std::size_t thread : threads_[process]) {
      sums_.add(profile_.thread_cells[thread][metric_.row()], total_, combine_, values_);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] == 0) continue;
      visit(static_cast<std::uint32_t>(i), static_cast<double>(values_[i]));
      values_[i] = 0;
    }
  }

 private:
  const Profile& profile_;
  MetricId metric_;
  Combine combine_;
  bool total_;
  FunctionSums sums_;
  std::vector<std::vector<std::size_t>> threads_;    // by process
  std::vector<std::vector<const FlatValue*>> flat_;  // by process
  std::vector<std::int64_t> values_;                 // by function, of one process
};

// The functions whose slowest process is furthest above the mean, at most `most`.
std::vector<std::uint32_t> most_uneven(ProcessCosts& costs, const Profile& profile,
                                       std::size_t most) {
  std::vector<double> largest(profile.functions.size());
  std::vector<double> sum(profile.functions.size());
  for (std::size_t process = 0; process < profile.processes.size(); ++process) {
    costs.for_each(process, [&](std::uint32_t function, double value) {
      largest[function] = std::max(largest[function], value);
      sum[function] += value;
    });
  }
  const auto count = static_cast<double>(profile.processes.size());
  std::vector<std::uint32_t> functions;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] != 0 || largest[i] != 0) functions.push_back(static_cast<std::uint32_t>(i));
  }
  const auto excess = [&](std::uint32_t function) {
    return largest[function] - sum[function] / count;
  };
  std::sort(functions.begin(), functions.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (excess(a) != excess(b)) return excess(a) > excess(b);
    return sum[a] != sum[b] ? sum[a] > sum[b] : a < b;
  });
  if (functions.size() > most) functions.resize(most);
  return functions;
}

struct ProcessStatistics {
  std::vector<double> minimum, median, maximum, mean, deviation;

  void add(std::span<const double> row) {
    std::vector<double> sorted(row.begin(), row.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    double sum = 0;
    for (const double value : sorted) sum += value;
    const auto count = static_cast<double>(sorted.size());
    double squares = 0;
    for (const double value : sorted) squares += std::pow(value - sum / count, 2);
    minimum.push_back(sorted.front());
    median.push_back(sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
    maximum.push_back(sorted.back());
    mean.push_back(sum / count);
    deviation.push_back(std::sqrt(squares / count));
  }
};

}  // namespace

Result<Answer> answer_ranks(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::vector<MetricId> metrics, metrics_of(viewed, request));
  PYROMETER_TRY(const std::string_view by, request.word("by", {"self", "total"}));
  PYROMETER_TRY(const std::uint32_t most, request.number("most", kDefaultMost, kLargestMost));
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  ProcessCosts costs(*profile, metrics[0], by == "total");
  const std::vector<std::uint32_t> functions = most_uneven(costs, *profile, most);

  std::vector<std::size_t> row_of(profile->functions.size(), functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) row_of[functions[i]] = i;
  const std::size_t count = profile->processes.size();
  std::vector<double> values(functions.size() * count);
  std::vector<double> whole(count);  // of all functions, also of those that are left out
  std::vector<std::uint32_t> processes;
  for (std::size_t process = 0; process < count; ++process) {
    processes.push_back(static_cast<std::uint32_t>(process));
    costs.for_each(process, [&](std::uint32_t function, double value) {
      whole[process] += value;
      if (row_of[function] < functions.size()) values[row_of[function] * count + process] = value;
    });
  }
  ProcessStatistics statistics;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    statistics.add(std::span<const double>(values).subspan(i * count, count));
  }
  ColumnsWriter out(request.is_packed);
  out.add("process", std::span<const std::uint32_t>(processes));
  out.add("function", std::span<const std::uint32_t>(functions));
  const auto add = [&](std::string_view name, const std::vector<double>& column) {
    out.add(name, std::span<const double>(column));
  };
  add("value", values);
  add("minimum", statistics.minimum);
  add("median", statistics.median);
  add("maximum", statistics.maximum);
  add("mean", statistics.mean);
  add("deviation", statistics.deviation);
  if (by == "self") add("whole", whole);
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer
