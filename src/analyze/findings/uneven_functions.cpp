// Functions that take some ranks longer than others.
#include <fmt/format.h>

#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "analyze/ranks/imbalance.h"
#include "analyze/ranks/rank_words.h"
#include "analyze/ranks/serial_lines.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMost = 3;
constexpr double kAboutTheSame = 0.9;  // of a cost: a caller has it from its callee

// Functions that call `chosen` on some path, or are called by it: their imbalance is the same.
void mark_related(const Profile& profile, FunctionId chosen, std::vector<bool>& is_related) {
  const std::size_t count = profile.nodes.size();
  std::vector<bool> is_below(count);
  std::vector<bool> is_above(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = profile.nodes[i];
    const bool has_parent = !node.parent.is_none();
    is_below[i] = node.function == chosen || (has_parent && is_below[node.parent.row()]);
  }
  for (std::size_t i = count; i-- > 0;) {
    const Node& node = profile.nodes[i];
    const bool leads_there = is_above[i] || node.function == chosen;
    if (leads_there && !node.parent.is_none()) is_above[node.parent.row()] = true;
    if (leads_there || is_below[i]) is_related[node.function.row()] = true;
  }
}

// By function: how far from the root it is called, at the least.
std::vector<std::uint32_t> depths_of(const Profile& profile) {
  std::vector<std::uint32_t> of_node(profile.nodes.size());
  std::vector<std::uint32_t> of_function(profile.functions.size(), UINT32_MAX);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    of_node[i] = node.parent.is_none() ? 0 : of_node[node.parent.row()] + 1;
    std::uint32_t& least = of_function[node.function.row()];
    least = std::min(least, of_node[i]);
  }
  return of_function;
}

// Of those that cost about as much as the first, the innermost: callers have it from there.
const Imbalance* next_of(const std::vector<Imbalance>& all, const Overview& overview,
                         const std::vector<std::uint32_t>& depths,
                         const std::vector<bool>& is_related) {
  const Imbalance* best = nullptr;
  double most = 0;
  for (const Imbalance& each : all) {
    const Function& function = overview.profile.functions[each.item];
    if (each.cost < kAboutTheSame * most) break;
    if (is_related[each.item] || function.kind != FunctionKind::kPython ||
        !is_worth_saying(*overview.ranks, each)) {
      continue;
    }
    if (best == nullptr) most = each.cost;
    if (best == nullptr || depths[each.item] > depths[best->item]) best = &each;
  }
  return best;
}

// The line of the function with most of the imbalance; none: 0.
std::uint32_t worst_line(const RankFacts& facts, const std::vector<Imbalance>& lines,
                         FunctionId function) {
  for (const Imbalance& each : lines) {
    const CodeLine& place = facts.items.lines[each.item];
    if (place.function == function) return place.line;
  }
  return 0;
}

Finding finding_of(const Overview& overview, const Imbalance& imbalance, std::uint32_t line) {
  const Profile& profile = overview.profile;
  const Function& function = profile.functions[imbalance.item];
  const FunctionId id(imbalance.item);
  const std::string place = line_words(profile, {id, line == 0 ? function.first_line : line});
  return {Finding::Kind::kHot,
          "imbalance",
          fmt::format(
              "{} ({}) is spread unevenly: rank {} works {} in it, the mean is {} "
              "(imbalance {:.2f}); evening it out would save up to {}, {:.0f} % of the job.",
              short_name(profile, function), place, overview.ranks->number(imbalance.maximum_rank),
              time_words(static_cast<double>(imbalance.maximum)), time_words(imbalance.mean),
              imbalance.factor, time_words(imbalance.cost), 100 * imbalance.share),
          imbalance.share,
          id,
          line,
          fmt::format("{}, {} ranks", place, overview.ranks->ranks())};
}

}  // namespace

std::vector<Finding> find_uneven_functions(const Overview& overview) {
  if (!overview.ranks) return {};
  const RankFacts& facts = *overview.ranks;
  const std::vector<Imbalance> functions = find_imbalances(facts, RankSubject::kTotal);
  const std::vector<Imbalance> lines = find_imbalances(facts, RankSubject::kLine);
  std::vector<bool> is_related(overview.profile.functions.size());
  const std::vector<std::uint32_t> depths = depths_of(overview.profile);
  std::vector<Finding> findings;
  // What one rank does while the others wait is another finding, and explains its callers.
  for (const SerialLine& serial : find_serial_lines(facts).lines) {
    mark_related(overview.profile, facts.items.lines[serial.line].function, is_related);
  }
  while (findings.size() < kMost) {
    const Imbalance* worst = next_of(functions, overview, depths, is_related);
    if (worst == nullptr) break;
    const FunctionId function(worst->item);
    findings.push_back(finding_of(overview, *worst, worst_line(facts, lines, function)));
    mark_related(overview.profile, function, is_related);
  }
  return findings;
}

}  // namespace pyrometer
