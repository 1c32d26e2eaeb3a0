// Callgrind's text, for KCachegrind, callgrind_annotate and gprof2dot: what each line of a function
// cost by itself, and each call with the line it is made on, how often, and what it cost in all.
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>

#include "analyze/inclusive.h"
#include "analyze/names.h"
#include "analyze/tree_index.h"
#include "base/printable.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

// Where a call is made, and of what.
struct CallSite {
  FunctionId caller;
  std::uint32_t line = 0;
  FunctionId callee;
  friend auto operator<=>(const CallSite&, const CallSite&) = default;
};

struct SiteCost {
  std::int64_t calls = 0;
  std::int64_t total = 0;
  std::uint32_t running = 0;  // while the tree is walked: only the outermost call counts in full
};

using SelfByLine = std::map<std::uint32_t, std::int64_t>;

// Callgrind knows a function by its name alone, and many a viewer ignores the file: names that
// occur more than once get their place, and if need be a number.
std::vector<std::string> unique_names(const Profile& profile) {
  boost::unordered_flat_map<std::string_view, int> uses;
  for (const Function& function : profile.functions) ++uses[display_name(profile, function)];
  boost::unordered_flat_map<std::string, int> taken;
  std::vector<std::string> names;
  for (const Function& function : profile.functions) {
    const std::string_view plain = display_name(profile, function);
    std::string name = printable(plain);
    const std::string place = display_place(profile, function);
    if (uses[plain] > 1 && !place.empty()) name += fmt::format(" ({})", printable(place));
    if (name.empty()) name = "?";
    const int earlier = taken[name]++;
    names.push_back(earlier == 0 ? name : fmt::format("{} #{}", name, earlier + 1));
  }
  return names;
}

// Writes each name once and a number afterwards.
class Names {
 public:
  std::string operator()(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
    return is_new ? fmt::format("({}) {}", found->second, name)
                  : fmt::format("({})", found->second);
  }

 private:
  boost::unordered_flat_map<std::string, std::size_t> numbers_;
};

class CallgrindWriter {
 public:
  explicit CallgrindWriter(const Overview& overview)
      : overview_(overview),
        profile_(overview.profile),
        names_(unique_names(overview.profile)),
        self_(overview.profile.functions.size()) {}

  std::string write() {
    collect_lines();
    profile_.flat_values.empty() ? collect_call_sites() : take_call_edges();
    write_head();
    auto site = sites_.begin();
    for (const FunctionCost& cost : overview_.graph.functions) {
      write_function(cost);
      for (; site != sites_.end() && site->first.caller < cost.function; ++site) {
      }
      for (; site != sites_.end() && site->first.caller == cost.function; ++site) {
        write_call(site->first, site->second);
      }
    }
    out_ += fmt::format("\ntotals: {}\n", written_);
    return std::move(out_);
  }

 private:
  const Function& function(FunctionId id) const { return profile_.functions[id.row()]; }

  // A position without a line counts where its function begins.
  std::uint32_t line_of(const Node& node) const {
    return node.line != 0 ? node.line : function(node.function).first_line;
  }

  void collect_lines() {
    const auto& values = profile_.node_totals[overview_.metric.row()];
    for (std::size_t row = 0; row < profile_.nodes.size(); ++row) {
      const Node& node = profile_.nodes[row];
      if (values[row] != 0) self_[node.function.row()][line_of(node)] += values[row];
    }
  }

  void collect_call_sites() {
    const auto total = inclusive_values(profile_, profile_.node_totals[overview_.metric.row()],
                                        profile_.metrics[overview_.metric.row()].combine);
    const auto calls_metric = profile_.find_metric(metric::kCalls);
    const auto site_of = [&](const Node& node) -> SiteCost* {
      if (node.parent.is_none()) return nullptr;
      const Node& caller = profile_.nodes[node.parent.row()];
      return &sites_[{caller.function, line_of(caller), node.function}];
    };
    const auto enter = [&](NodeId id) {
      SiteCost* site = site_of(profile_.nodes[id.row()]);
      if (site == nullptr) return;
      if (calls_metric) site->calls += profile_.node_totals[calls_metric->row()][id.row()];
      if (site->running++ == 0) site->total += total[id.row()];
    };
    const auto leave = [&](NodeId id) {
      if (SiteCost* site = site_of(profile_.nodes[id.row()])) --site->running;
    };
    TreeIndex(profile_).walk(enter, leave);
  }

  // The source knew who calls whom but not from where.
  void take_call_edges() {
    for (const CallEdge& edge : overview_.graph.edges) {
      const std::uint32_t line = function(edge.caller).first_line;
      sites_[{edge.caller, line, edge.callee}] = {.calls = edge.calls, .total = edge.total};
    }
  }

  void write_head() {
    const Metric& metric = profile_.metrics[overview_.metric.row()];
    const bool is_time = metric.unit == Unit::kNanoseconds;
    std::string event = is_time ? metric.name + "_ns" : metric.name;
    std::replace_if(
        event.begin(), event.end(), [](char c) { return !is_word(c); }, '_');
    out_ = "# callgrind format\nversion: 1\ncreator: pyrometer\n";
    if (profile_.paths_are_estimated) out_ += "desc: Paths: estimated from call edges\n";
    out_ += fmt::format("positions: line\nevent: {} : {}{}\nevents: {}\n", event,
                        printable(metric_words(metric)), is_time ? ", nanoseconds" : "", event);
  }

  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  std::string file_of(const Function& function) const {
    const std::string_view file = profile_.text(function.file);
    return file.empty() || file == "~" ? "???" : printable(file);
  }
  std::string object_of(const Function& function) const {
    if (function.module.is_none()) return "???";
    return printable(profile_.text(profile_.modules[function.module.row()].path));
  }

  void write_function(const FunctionCost& cost) {
    const Function& which = function(cost.function);
    out_ += fmt::format("\nob={}\nfl={}\nfn={}\n", objects_(object_of(which)),
                        files_(file_of(which)), functions_(names_[cost.function.row()]));
    SelfByLine& lines = self_[cost.function.row()];
    // What no position explains, as a source without call paths may have it.
    std::int64_t left = cost.self;
    for (const auto& [line, value] : lines) left -= value;
    lines[which.first_line] += left;
    for (const auto& [line, value] : lines) {
      if (value <= 0) continue;  // a cost cannot be negative
      out_ += fmt::format("{} {}\n", line, value);
      written_ += value;
    }
  }

  // Sampling sees no calls, but viewers divide by them.
  void write_call(const CallSite& site, const SiteCost& cost) {
    if (cost.total <= 0 && cost.calls <= 0) return;
    const Function& callee = function(site.callee);
    out_ += fmt::format("cob={}\ncfi={}\ncfn={}\ncalls={} {}\n{} {}\n", objects_(object_of(callee)),
                        files_(file_of(callee)), functions_(names_[site.callee.row()]),
                        std::max<std::int64_t>(cost.calls, 1), callee.first_line, site.line,
                        std::max<std::int64_t>(cost.total, 0));
  }

  const Overview& overview_;
  const Profile& profile_;
  std::vector<std::string> names_;  // by function
  std::vector<SelfByLine> self_;    // by function
  std::map<CallSite, SiteCost> sites_;
  Names objects_, files_, functions_;
  std::int64_t written_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string> export_callgrind(const Overview& overview) {
  return CallgrindWriter(overview).write();
}

}  // namespace pyrometer
