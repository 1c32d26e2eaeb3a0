#include "analyze/transform_fold.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <set>

#include "analyze/inclusive.h"
#include "analyze/origin.h"
#include "analyze/selection.h"
#include "analyze/transform_fold_flat.h"
#include "analyze/transform_nodes.h"

namespace pyrometer {
namespace {

constexpr double kLargestOwnShare = 0.01;
constexpr double kLeastChildShare = 0.95;

// One function as called from one position: all positions inside it taken together.
struct Frame {
  FunctionId function;
  FunctionId caller;  // none: a root
  std::int64_t self = 0;
  std::int64_t total = 0;
  std::int64_t calls = 0;         // 0: not counted
  std::int64_t largest_line = 0;  // most that one of its lines calls
  struct Callee {
    FunctionId function;
    std::int64_t total = 0;
    std::int64_t calls = 0;
  };
  std::vector<Callee> callees = {};  // heaviest first
};

struct Frames {
  std::vector<Frame> frames;
  std::vector<std::uint32_t> of_node;
};

Frames make_frames(const Profile& profile, MetricId metric) {
  const auto& self = profile.node_totals[metric.row()];
  const auto total = inclusive_values(profile, self, Combine::kSum);
  const auto calls = profile.find_metric(metric::kCalls);
  const auto calls_of = [&](std::size_t node) {
    return calls ? profile.node_totals[calls->row()][node] : 0;
  };
  Frames all;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> by_place;  // caller's node, function
  boost::unordered_flat_map<std::uint64_t, std::size_t> by_callee;   // frame, function
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const bool is_root = node.parent.is_none();
    const std::uint64_t place = (std::uint64_t{node.parent.row()} << 32) | node.function.row();
    const auto [found, is_new] =
        by_place.try_emplace(place, static_cast<std::uint32_t>(all.frames.size()));
    if (is_new) {
      all.frames.push_back({node.function, is_root ? FunctionId::none()
                                                   : profile.nodes[node.parent.row()].function});
    }
    all.of_node.push_back(found->second);
    Frame& frame = all.frames[found->second];
    frame.self += self[i];
    frame.total += total[i];
    frame.calls += calls_of(i);
    frame.largest_line = std::max(frame.largest_line, total[i] - self[i]);
    if (is_root) continue;
    const std::uint32_t above = all.of_node[node.parent.row()];
    auto& callees = all.frames[above].callees;
    const auto [callee, is_first] =
        by_callee.try_emplace((std::uint64_t{above} << 32) | node.function.row(), callees.size());
    if (is_first) callees.push_back({node.function});
    callees[callee->second].total += total[i];
    callees[callee->second].calls += calls_of(i);
  }
  for (Frame& frame : all.frames) {
    std::stable_sort(frame.callees.begin(), frame.callees.end(),
                     [](const auto& a, const auto& b) { return a.total > b.total; });
  }
  return all;
}

class WrapperFinder {
 public:
  explicit WrapperFinder(const Profile& profile) : profile_(profile), origins_(profile) {}

  // A frame that hardly does anything itself and passes nearly all on to one Python function.
  // Only decorator-shaped ones: functions made inside functions, and library code. Of library code
  // that calls library code the frame that the user's own code called stays, as that is the
  // name the user wrote.
  bool is_wrapper(const Frame& frame) const {
    const Function& function = profile_.functions[frame.function.row()];
    const bool is_code =
        function.kind == FunctionKind::kPython && profile_.text(function.name) != "<module>";
    if (!is_code || frame.callees.empty() || frame.total <= 0) return false;
    if (share(frame.self, frame) >= kLargestOwnShare) return false;
    const Frame::Callee& heaviest = frame.callees.front();
    const bool has_one_callee =
        is_other_python(frame, heaviest) && share(heaviest.total, frame) >= kLeastChildShare;
    if (profile_.text(function.qualified_name).find("<locals>") != std::string_view::npos) {
      return has_one_callee || calls_one_at_a_time(frame);
    }
    return has_one_callee && origins_.is_library(frame.function) &&
           (origins_.of(frame.caller) != Origin::kOwn ||
            origins_.of(heaviest.function) == Origin::kOwn);
  }

 private:
  static double share(std::int64_t value, const Frame& frame) {
    return static_cast<double>(value) / static_cast<double>(frame.total);
  }

  bool is_other_python(const Frame& frame, const Frame::Callee& callee) const {
    return profile_.functions[callee.function.row()].kind == FunctionKind::kPython &&
           callee.function != frame.function;
  }

  // A decorator of several functions that one caller uses is one frame with several callees. Where
  // calls are counted they tell that each call of it made no more than one; samples tell that all
  // of them come from one line.
  bool calls_one_at_a_time(const Frame& frame) const {
    if (frame.calls == 0 && share(frame.largest_line, frame) < kLeastChildShare) return false;
    std::int64_t total = 0;
    std::int64_t calls = 0;
    for (const Frame::Callee& callee : frame.callees) {
      if (!is_other_python(frame, callee)) return false;
      total += callee.total;
      calls += callee.calls;
      if (calls > frame.calls) return false;
      if (share(total, frame) >= kLeastChildShare) return true;
    }
    return false;
  }

  const Profile& profile_;
  Origins origins_;
};

// By function: whether any of the patterns matches.
std::vector<bool> matches_of(const Profile& profile, const std::vector<Pattern>& patterns) {
  std::vector<bool> matches(profile.functions.size());
  for (const Pattern& pattern : patterns) {
    const Selection selection{.keep = {pattern}};
    for (std::size_t i = 0; i < matches.size(); ++i) {
      matches[i] = matches[i] || is_selected(selection, profile, FunctionId::from_index(i));
    }
  }
  return matches;
}

// By frame; roots always stay.
std::vector<bool> find_folded(const Profile& profile, const Frames& all, bool wrappers,
                              const std::vector<bool>& is_named) {
  const WrapperFinder finder(profile);
  std::vector<bool> is_folded;
  for (const Frame& frame : all.frames) {
    const bool is_root = frame.caller.is_none();
    is_folded.push_back(!is_root &&
                        (is_named[frame.function.row()] || (wrappers && finder.is_wrapper(frame))));
  }
  return is_folded;
}

}  // namespace

Result<std::optional<Folded>> fold_paths(const Profile& profile, MetricId metric,
                                         const FoldRules& rules) {
  PYROMETER_TRY(std::optional<Folded> folded,
                fold_flat_values(profile, metric, matches_of(profile, rules.also)));
  const Profile& from = folded ? folded->profile : profile;
  const bool wrappers = rules.wrappers && !profile.paths_are_estimated &&
                        profile.metrics[metric.row()].combine == Combine::kSum;
  const Frames all = make_frames(from, metric);
  const std::vector<bool> is_folded =
      find_folded(from, all, wrappers, matches_of(from, rules.also));
  const auto frames =
      static_cast<std::size_t>(std::count(is_folded.begin(), is_folded.end(), true));
  if (frames == 0) return folded;

  std::vector<NodeFate> fates;
  for (const std::uint32_t frame : all.of_node) {
    fates.push_back(is_folded[frame] ? NodeFate::kFold : NodeFate::kKeep);
  }
  std::set<FunctionId> functions;
  if (folded) functions.insert(folded->functions.begin(), folded->functions.end());
  for (std::size_t i = 0; i < is_folded.size(); ++i) {
    if (is_folded[i]) functions.insert(all.frames[i].function);
  }
  Profile without = transform_nodes(from, fates);
  return Folded{.profile = std::move(without),
                .frames = frames + (folded ? folded->frames : 0),
                .functions = {functions.begin(), functions.end()},
                .is_estimated = folded && folded->is_estimated};
}

}  // namespace pyrometer
