#include "export/tau.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/gzip_writer.h"
#include "export/exporter.h"
#include "export/tau_metadata.h"
#include "export/tau_paths.h"
#include "formats/tau_metric_names.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLargestNames = std::size_t{256} << 20;
constexpr std::size_t kLargestOutput = std::size_t{1} << 30;

bool counts_events(std::string_view name) {
  return name == metric::kSamples || name == metric::kStackSamples || name == metric::kCalls ||
         name == metric::kPrimitiveCalls;
}

bool has_values(const Profile& profile, std::size_t metric) {
  const auto& totals = profile.node_totals[metric];
  return std::any_of(totals.begin(), totals.end(), [](std::int64_t value) { return value != 0; });
}

// Values that are times in TAU's microseconds, everything else as it is.
double tau_value(Unit unit, std::int64_t value) {
  const auto number = static_cast<double>(value);
  return unit == Unit::kNanoseconds ? number / 1000 : number;
}

class TauMaker {
 public:
  explicit TauMaker(const Overview& overview)
      : profile_(overview.profile), tree_(make_tau_paths(profile_)) {
    choose_metrics(overview.metric);
  }

  Result<TauProfile> make() {
    if (metrics_.empty()) {
      return fail(ErrorCode::kUsage,
                  "TAU profiles hold functions and call paths, which this profile has not");
    }
    PYROMETER_TRY_VOID(name_functions());
    find_flat_values();
    const std::vector<TauPlace> places = tau_places(profile_);
    for (std::size_t i = 0; i < profile_.threads.size(); ++i) add_thread(i, places[i]);
    return std::move(tau_);
  }

 private:
  struct Cost {
    double calls = 0, subroutines = 0;
    std::vector<std::int64_t> self, total;  // by metric
    bool is_there = false;
  };

  void choose_metrics(MetricId chosen) {
    const auto add = [&](std::size_t metric) {
      const Metric& each = profile_.metrics[metric];
      metrics_.push_back(metric);
      tau_.metrics.push_back(write_tau_metric_name(each.name, each.unit));
    };
    if (has_values(profile_, chosen.row())) add(chosen.row());
    for (std::size_t i = 0; i < profile_.metrics.size(); ++i) {
      const Metric& each = profile_.metrics[i];
      const bool is_sum = each.combine == Combine::kSum && !counts_events(each.name);
      if (i != chosen.row() && is_sum && has_values(profile_, i)) add(i);
    }
  }

  // What came from TAU has its own row of the program already.
  bool is_program(const TauPath& path) const {
    return path.parent == TauPath::kNone && is_program(path.function.row());
  }
  bool is_program(std::size_t function) const {
    return tau_.functions[function + 1].name == tau_.functions[0].name;
  }

  // Row 0 of TAU's functions is the program, then come our functions, then the paths.
  Result<void> name_functions() {
    tau_.functions.push_back({".TAU application", "TAU_DEFAULT"});
    std::size_t size = 0;
    for (const Function& function : profile_.functions) {
      tau_.functions.push_back({tau_name(profile_, function), tau_group(profile_, function)});
    }
    std::vector<std::size_t> sizes;
    for (const TauPath& path : tree_.paths) {
      const bool is_root = path.parent == TauPath::kNone;
      sizes.push_back((is_root ? tau_.functions[0].name.size() : sizes[path.parent]) + 4 +
                      tau_.functions[path.function.row() + 1].name.size());
      size += sizes.back();
    }
    if (size > kLargestNames) {
      return fail(ErrorCode::kTooLarge,
                  "the call paths are too deep for TAU, which writes out each of them ({} MiB of "
                  "names); export speedscope or json instead",
                  size >> 20U);
    }
    const std::size_t first = tau_.functions.size();
    for (const TauPath& path : tree_.paths) {
      if (is_program(path)) {
        tau_.functions.push_back(tau_.functions[0]);
        continue;
      }
      const bool is_root = path.parent == TauPath::kNone;
      const std::string& parent = tau_.functions[is_root ? 0 : first + path.parent].name;
      const TauFunction& leaf = tau_.functions[path.function.row() + 1];
      tau_.functions.push_back({parent + " => " + leaf.name, "TAU_CALLPATH|" + leaf.groups});
    }
    return {};
  }

  // Exact totals of functions, where call paths are only estimated. A merged file keeps those of
  // all threads with the first one; then the paths say more.
  void find_flat_values() {
    std::set<std::uint32_t> threads;
    for (const FlatValue& flat : profile_.flat_values) threads.insert(flat.thread.row());
    for (std::size_t i = 0; i < profile_.thread_cells.size(); ++i) {
      const auto& cells = profile_.thread_cells[i];
      const bool is_empty =
          std::all_of(cells.begin(), cells.end(), [](const auto& each) { return each.empty(); });
      if (!is_empty && !threads.contains(static_cast<std::uint32_t>(i))) return;
    }
    for (const FlatValue& flat : profile_.flat_values) flat_[flat.thread.row()].push_back(&flat);
  }

  Cost& cost_of(std::vector<Cost>& costs, std::size_t index) const {
    Cost& cost = costs[index];
    if (!cost.is_there) {
      cost.is_there = true;
      cost.self.resize(metrics_.size());
      cost.total.resize(metrics_.size());
    }
    return cost;
  }

  std::vector<Cost> path_costs(std::size_t thread) const {
    std::vector<Cost> costs(tree_.paths.size());
    const ThreadCells& cells = profile_.thread_cells[thread];
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      for (const Cell& cell : cells[metrics_[i]]) {
        Cost& cost = cost_of(costs, tree_.of_node[cell.node.row()]);
        cost.self[i] += cell.value;
        cost.total[i] += cell.value;
      }
    }
    if (const auto calls = profile_.find_metric(metric::kCalls)) {
      for (const Cell& cell : cells[calls->row()]) {
        cost_of(costs, tree_.of_node[cell.node.row()]).calls += static_cast<double>(cell.value);
      }
    }
    for (std::size_t path = costs.size(); path-- > 0;) {  // children before parents
      const std::uint32_t parent = tree_.paths[path].parent;
      if (!costs[path].is_there || parent == TauPath::kNone) continue;
      Cost& above = cost_of(costs, parent);
      above.subroutines += costs[path].calls;
      for (std::size_t i = 0; i < metrics_.size(); ++i) above.total[i] += costs[path].total[i];
    }
    return costs;
  }

  std::vector<Cost> function_costs(std::size_t thread, const std::vector<Cost>& paths) {
    std::vector<Cost> costs(profile_.functions.size());
    if (const auto found = flat_.find(static_cast<std::uint32_t>(thread)); found != flat_.end()) {
      for (const FlatValue* flat : found->second) add_flat(*flat, costs);
      return costs;
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!paths[i].is_there) continue;
      Cost& cost = cost_of(costs, tree_.paths[i].function.row());
      cost.calls += paths[i].calls;
      cost.subroutines += paths[i].subroutines;
      for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
        cost.self[metric] += paths[i].self[metric];
        if (tree_.paths[i].is_outermost) cost.total[metric] += paths[i].total[metric];
      }
    }
    return costs;
  }

  void add_flat(const FlatValue& flat, std::vector<Cost>& costs) const {
    const bool is_calls = profile_.metrics[flat.metric.row()].name == metric::kCalls;
    if (!flat.caller.is_none()) {
      if (is_calls) cost_of(costs, flat.caller.row()).subroutines += static_cast<double>(flat.self);
      return;
    }
    Cost& cost = cost_of(costs, flat.callee.row());
    if (is_calls) cost.calls += static_cast<double>(flat.self);
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      if (metrics_[i] != flat.metric.row()) continue;
      cost.self[i] += flat.self;
      cost.total[i] += flat.total;
    }
  }

  Cost program_cost(const std::vector<Cost>& paths) const {
    Cost program{.calls = 1, .self = std::vector<std::int64_t>(metrics_.size())};
    program.total = program.self;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!paths[i].is_there || tree_.paths[i].parent != TauPath::kNone) continue;
      const bool is_itself = is_program(tree_.paths[i]);
      program.subroutines += is_itself ? paths[i].subroutines : paths[i].calls;
      for (std::size_t j = 0; j < metrics_.size(); ++j) {
        if (is_itself) program.self[j] += paths[i].self[j];
        program.total[j] += paths[i].total[j];
      }
    }
    return program;
  }

  void add_row(TauThread& thread, std::size_t function, const Cost& cost) const {
    thread.rows.push_back({static_cast<std::uint32_t>(function), cost.calls, cost.subroutines});
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const Unit unit = profile_.metrics[metrics_[i]].unit;
      thread.values[i].push_back({tau_value(unit, cost.self[i]), tau_value(unit, cost.total[i])});
    }
  }

  void add_thread(std::size_t number, TauPlace place) {
    TauThread& thread = tau_.threads.emplace_back();
    thread.place = place;
    add_tau_metadata(profile_, profile_.threads[number], place, tau_, thread);
    thread.values.resize(metrics_.size());
    const std::vector<Cost> paths = path_costs(number);
    add_row(thread, 0, program_cost(paths));
    // TAU's clock counts whole microseconds, and Hatchet reads the program's row so.
    for (auto& values : thread.values) {
      values[0] = {std::round(values[0].exclusive), std::round(values[0].inclusive)};
    }
    const std::vector<Cost> functions = function_costs(number, paths);
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].is_there && !is_program(i)) add_row(thread, 1 + i, functions[i]);
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool is_row = paths[i].is_there && !is_program(tree_.paths[i]);
      if (is_row) add_row(thread, 1 + functions.size() + i, paths[i]);
    }
  }

  const Profile& profile_;
  TauPaths tree_;
  std::vector<std::size_t> metrics_;
  std::map<std::uint32_t, std::vector<const FlatValue*>> flat_;  // by thread
  TauProfile tau_;
};

}  // namespace

Result<TauProfile> make_tau(const Overview& overview) { return TauMaker(overview).make(); }

Result<std::vector<ExportedFile>> export_tau(const Overview& overview) {
  PYROMETER_TRY(TauProfile tau, make_tau(overview));
  std::vector<ExportedFile> files;
  std::size_t size = 0;
  for (std::size_t metric = 0; metric < tau.metrics.size(); ++metric) {
    const std::string folder =
        tau.metrics.size() == 1 ? "" : tau_metric_folder(tau.metrics[metric]) + "/";
    for (TauThread& thread : tau.threads) {
      // Hatchet takes events with a path in their name for functions.
      std::erase_if(thread.events, [&](const TauEvent& event) {
        return tau.events[event.name].find("=>") != std::string::npos;
      });
      const auto& [node, context, number] = thread.place;
      files.push_back({fmt::format("{}profile.{}.{}.{}", folder, node, context, number),
                       write_tau_text(tau, thread, metric)});
      size += files.back().content.size();
      if (size > kLargestOutput) {
        return fail(ErrorCode::kTooLarge,
                    "TAU's files would take more than 1 GiB; export one packed file (.ppk), or "
                    "fewer ranks");
      }
    }
  }
  return files;
}

Result<std::string> export_ppk(const Overview& overview) {
  PYROMETER_TRY(const TauProfile tau, make_tau(overview));
  PYROMETER_TRY(const std::string bytes, write_ppk(tau));
  return gzip(bytes);
}

}  // namespace pyrometer
