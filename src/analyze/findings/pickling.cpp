// Lines that send Python objects through MPI: mpi4py's lower-case methods pickle them first.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_words.h"
#include "analyze/ranks/useful_time.h"
#include "profile/source_lines.h"

namespace pyrometer {
namespace {

constexpr double kWorthSaying = 0.02;  // of the time of all ranks

// Native code that pickles: the extension module where it is one, ...
bool is_pickle_library(const Profile& profile, const Function& function) {
  return function.kind != FunctionKind::kPython &&
         profile.text(function.short_file).starts_with("_pickle");
}

// ... else the interpreter, at a line that says so, ...
bool is_interpreter(const Profile& profile, const Function& function) {
  const std::string_view file = profile.text(function.short_file);
  return function.kind == FunctionKind::kNative &&
         (file.starts_with("python") || file.starts_with("libpython"));
}

// ... or where that is linked into the executable, the line itself and the C library that copies
// for it, at a line that does nothing else.
bool is_line_itself(const Profile& profile, const Function& function) {
  return function.kind == FunctionKind::kPython ||
         (function.kind == FunctionKind::kNative &&
          profile.text(function.short_file).starts_with("libc.so"));
}

// "comm.bcast(", "world.send(" and the like: those with a capital take buffers.
bool sends_objects(std::string_view line) {
  static constexpr std::string_view kMethods[] = {
      ".send(",     ".isend(",    ".ssend(",     ".issend(", ".bsend(",     ".recv(",
      ".irecv(",    ".sendrecv(", ".bcast(",     ".gather(", ".allgather(", ".scatter(",
      ".alltoall(", ".reduce(",   ".allreduce(", ".scan(",   ".exscan(",
  };
  return std::any_of(std::begin(kMethods), std::end(kMethods), [line](std::string_view method) {
    return line.find(method) != std::string_view::npos;
  });
}

// Without another call, or a comprehension, that would take time of its own.
bool does_nothing_else(std::string_view line) {
  return std::count(line.begin(), line.end(), '(') == 1 &&
         line.find(" for ") == std::string_view::npos;
}

struct CallingLine {
  bool sends_objects = false;
  bool does_nothing_else = false;
};

// The lines that call MPI, by row of RankItems::lines, with what their text says.
std::map<std::uint32_t, CallingLine> find_calling_lines(const Profile& profile,
                                                        const RankItems& items) {
  std::map<std::uint32_t, CallingLine> lines;
  SourceLines sources(profile);
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    if (items.site_of_node[i] == RankItems::kNone || profile.nodes[i].parent.is_none()) continue;
    const std::uint32_t line = items.line_of_node[i];
    if (lines.contains(line)) continue;
    const CodeLine& place = items.lines[line];
    const StringId file = profile.functions[place.function.row()].file;
    const std::string text = sources.line(file, place.line);
    const bool sends = sends_objects(text);
    lines[line] = {.sends_objects = sends, .does_nothing_else = sends && does_nothing_else(text)};
  }
  return lines;
}

}  // namespace

std::vector<Finding> find_pickling(const Overview& overview) {
  const Profile& profile = overview.profile;
  const UsefulTime useful = find_useful_time(profile);
  if (!overview.ranks || !overview.ranks->list.has_mpi() || !useful.time) return {};
  const RankFacts& facts = *overview.ranks;
  const auto calling = find_calling_lines(profile, facts.items);
  std::map<std::uint32_t, double> times;  // by row of lines
  double all = 0;
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const auto line = calling.find(facts.items.line_of_node[i]);
    if (line == calling.end()) continue;
    const Function& function = profile.function_of(NodeId::from_index(i));
    const CallingLine& says = line->second;
    const bool is_pickling = is_pickle_library(profile, function) ||
                             (says.sends_objects && is_interpreter(profile, function)) ||
                             (says.does_nothing_else && is_line_itself(profile, function));
    if (!is_pickling) continue;
    const auto time = static_cast<double>(profile.node_totals[useful.time->row()][i]);
    times[line->first] += time;
    all += time;
  }
  const double share =
      all / (static_cast<double>(facts.ranks()) * static_cast<double>(facts.list.wall));
  if (times.empty() || !overview.is_surely_above(share, kWorthSaying)) return {};
  const auto worst = std::max_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const CodeLine& place = facts.items.lines[worst->first];
  return {
      {Finding::Kind::kHint, "pickling",
       fmt::format("Ranks pickle objects for MPI for {} in all ({:.0f} % of their time), most "
                   "at {}: send arrays with the upper-case methods (Send, Bcast, ...), which do "
                   "not.",
                   time_words(all), 100 * share, line_words(profile, place)),
       share, place.function, place.line, fmt::format("{} lines that call MPI", times.size())}};
}

}  // namespace pyrometer
