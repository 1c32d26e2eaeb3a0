#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "analyze/python_owners.h"
#include "analyze/thread_count.h"
#include "profile/source_lines.h"
#include "profile/totals.h"
#include "report/run_summary.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostHotSpots = 3;
constexpr std::size_t kMostRows = 5;
constexpr std::size_t kMostWarnings = 3;
constexpr double kHot = 0.05;          // of the wall time
constexpr double kWorthARow = 0.001;   // likewise
constexpr double kWorthNaming = 0.01;  // kinds of waiting below it are just waiting

std::int64_t total_of(const Profile& profile, std::string_view name) {
  const auto metric = profile.find_metric(name);
  return metric ? grand_total(profile, *metric) : 0;
}

// Whole numbers that add up to 100: the largest remainders are rounded up.
void set_percents(std::vector<RunSummary::Share>& shares) {
  std::int64_t all = 0;
  for (const auto& share : shares) all += share.value;
  if (all <= 0) return;
  int left = 100;
  std::vector<std::pair<double, std::size_t>> remainders;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = 100 * static_cast<double>(shares[i].value) / static_cast<double>(all);
    shares[i].percent = static_cast<int>(exact);
    left -= shares[i].percent;
    remainders.emplace_back(exact - shares[i].percent, i);
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < remainders.size() && left > 0; ++i, --left) {
    ++shares[remainders[i].second].percent;
  }
}

// None where only wall time is known.
std::vector<RunSummary::Share> make_shares(const Profile& profile) {
  if (!profile.find_metric(metric::kCpu)) return {};
  const std::int64_t wall = total_of(profile, metric::kWall);
  std::vector<RunSummary::Share> shares{
      {metric::kPython, "python", total_of(profile, metric::kPython)},
      {metric::kNative, "native", total_of(profile, metric::kNative)},
      {metric::kSystem, "system", total_of(profile, metric::kSystem)},
  };
  for (const RunSummary::Share& wait :
       {RunSummary::Share{metric::kMpi, "MPI"},
        RunSummary::Share{metric::kGilWait, "waiting for the GIL"},
        RunSummary::Share{metric::kRunnable, "waiting for a CPU"}}) {
    const std::int64_t value = total_of(profile, wait.id);
    if (static_cast<double>(value) > kWorthNaming * static_cast<double>(wall)) {
      shares.push_back({wait.id, wait.words, value});
    }
  }
  std::int64_t named = 0;
  for (const auto& share : shares) named += share.value;
  shares.push_back({"waiting", "waiting", std::max<std::int64_t>(0, wall - named)});
  set_percents(shares);
  return shares;
}

using LineCosts = std::map<std::uint32_t, std::int64_t>;

std::pair<std::uint32_t, std::int64_t> hottest(const LineCosts& lines) {
  std::pair<std::uint32_t, std::int64_t> best{0, 0};
  for (const auto& [line, value] : lines) {
    if (line != 0 && value > best.second) best = {line, value};
  }
  return best;
}

std::vector<RunSummary::HotSpot> find_hot_spots(const Overview& overview,
                                                const std::vector<NodeId>& owners) {
  const Profile& profile = overview.profile;
  // Waiting is no heat; where only wall time is known, it must do.
  const MetricId busy = profile.find_metric(metric::kCpu).value_or(overview.metric);
  std::vector<std::int64_t> with_waiting(profile.functions.size());
  std::vector<std::int64_t> of_owner(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i].is_none()) continue;
    of_owner[owners[i].row()] += profile.node_totals[busy.row()][i];
    with_waiting[profile.nodes[owners[i].row()].function.row()] +=
        profile.node_totals[overview.metric.row()][i];
  }
  std::vector<LineCosts> own(profile.functions.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const Node& owner = profile.nodes[i];
    if (of_owner[i] != 0) own[owner.function.row()][owner.line] += of_owner[i];
  }
  std::vector<std::pair<std::int64_t, FunctionId>> order;
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::int64_t sum = 0;
    for (const auto& [line, value] : own[i]) sum += value;
    if (overview.is_surely_above(overview.share(sum), kHot)) {
      order.emplace_back(sum, FunctionId::from_index(i));
    }
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  if (order.size() > kMostHotSpots) order.resize(kMostHotSpots);
  SourceLines sources(profile);
  std::vector<RunSummary::HotSpot> spots;
  for (const auto& [sum, id] : order) {
    const Function& function = profile.functions[id.row()];
    const auto [line, value] = hottest(own[id.row()]);
    spots.push_back({.id = id,
                     .function = short_name(profile, function),
                     .place = short_place(profile, function),
                     .share = overview.share(sum),
                     .share_with_waiting = overview.share(with_waiting[id.row()]),
                     .line = line,
                     .line_share = overview.share(value),
                     .source = line == 0 ? "" : sources.line(function.file, line)});
  }
  return spots;
}

// Where a function that is not Python was mostly reached from: "wave.py:64".
std::string called_from(const Overview& overview, const std::vector<NodeId>& owners,
                        FunctionId function) {
  const Profile& profile = overview.profile;
  std::map<std::pair<FunctionId, std::uint32_t>, std::int64_t> places;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (profile.nodes[i].function != function || owners[i].is_none()) continue;
    const Node& owner = profile.nodes[owners[i].row()];
    places[{owner.function, owner.line}] += profile.node_totals[overview.metric.row()][i];
  }
  const auto best =
      std::max_element(places.begin(), places.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == places.end()) return {};
  const auto& [owner, line] = best->first;
  return display_place(profile, profile.functions[owner.row()], line);
}

std::vector<RunSummary::Row> make_rows(const Overview& overview,
                                       const std::vector<NodeId>& owners) {
  const Profile& profile = overview.profile;
  std::vector<FunctionCost> order;
  for (const FunctionCost& cost : overview.graph.functions) {
    if (overview.share(cost.self) > kWorthARow) order.push_back(cost);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.self > b.self; });
  if (order.size() > kMostRows) order.resize(kMostRows);
  std::vector<RunSummary::Row> rows;
  for (const FunctionCost& cost : order) {
    const Function& function = profile.functions[cost.function.row()];
    const bool is_python = function.kind == FunctionKind::kPython;
    rows.push_back({.kind = function.kind,
                    .function = std::string(display_name(profile, function)),
                    .place = is_python ? display_place(profile, function) : "",
                    .called_from = is_python ? "" : called_from(overview, owners, cost.function),
                    .self = cost.self,
                    .total = cost.total,
                    .calls = cost.calls});
  }
  return rows;
}

// The last value of a key counts; anything that is no number is as good as none.
std::optional<std::int64_t> number_attribute(const Process& process, std::string_view key) {
  std::optional<std::int64_t> number;
  for (const auto& [name, value] : process.attributes) {
    if (name != key) continue;
    std::int64_t parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    number = error == std::errc() && parsed >= 0 ? std::optional(parsed) : std::nullopt;
  }
  return number;
}

void add_sampler(RunSummary& summary, const Overview& overview) {
  std::int64_t cost = 0;
  std::int64_t cpu = 0;
  for (const Process& process : overview.profile.processes) {
    const auto number = [&](std::string_view key) { return number_attribute(process, key); };
    summary.samples += number("sampler.samples").value_or(0);
    summary.rejected += number("sampler.rejected").value_or(0);
    summary.lost += number("sampler.lost").value_or(0);
    cost += number("sampler.cost").value_or(number("exact.cost").value_or(0));
    cpu += number("sampler.cpu").value_or(number("exact.cpu").value_or(0));
    const std::int64_t rate = number("sampler.rate").value_or(0);
    if (rate == 0) continue;
    summary.lowest_rate = summary.lowest_rate == 0 ? rate : std::min(summary.lowest_rate, rate);
    summary.highest_rate = std::max(summary.highest_rate, rate);
  }
  if (summary.samples == 0) summary.samples = overview.samples;
  if (cpu > 0) summary.cost = static_cast<double>(cost) / static_cast<double>(cpu);
}

void add_lines(RunSummary& summary, const Profile& profile) {
  for (const Process& process : profile.processes) {
    for (const auto& [name, value] : process.attributes) {
      if (name == "lines") summary.lines_wanted = value;
    }
  }
  const auto hits = profile.find_metric(metric::kHits);
  if (!hits) return;
  std::set<FunctionId> functions;
  for (const LineValue& line : profile.line_values) {
    if (line.metric != *hits) continue;
    functions.insert(line.function);
    summary.line_hits += line.value;
  }
  summary.line_functions = functions.size();
}

std::int64_t wall_of(const Profile& profile) {
  if (profile.processes.empty()) return 0;
  std::int64_t first = profile.processes[0].start;
  std::int64_t last = first;
  for (const Process& process : profile.processes) {
    first = std::min(first, process.start);
    last = std::max(last, process.start + process.duration);
  }
  return last - first;
}

}  // namespace

RunSummary summarize_run(const Overview& overview) {
  const Profile& profile = overview.profile;
  const std::vector<NodeId> owners = python_owners(profile);
  RunSummary summary{.wall = wall_of(profile),
                     .paused = overview.paused,
                     .cpu = total_of(profile, metric::kCpu),
                     .shares = make_shares(profile),
                     .processes = profile.processes.size(),
                     .threads = count_threads(profile),
                     .hot_spots = find_hot_spots(overview, owners),
                     .rows = make_rows(overview, owners)};
  for (const FunctionCost& cost : overview.graph.functions) summary.calls += cost.calls;
  add_ranks(summary, overview);
  add_sampler(summary, overview);
  add_lines(summary, profile);
  add_memory(summary, overview);
  for (const Finding& finding : find_all(overview)) {
    const bool is_warning = finding.kind == Finding::Kind::kWarning;
    if (is_warning && summary.warnings.size() < kMostWarnings) {
      summary.warnings.push_back(finding.sentence);
    }
  }
  return summary;
}

}  // namespace pyrometer
