#include "load/tau_rows.h"

#include <algorithm>
#include <utility>

#include "formats/table_text.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

bool has_group(std::string_view groups, std::string_view group) {
  while (!groups.empty()) {
    const std::size_t end = std::min(groups.find('|'), groups.size());
    if (groups.substr(0, end) == group) return true;
    groups.remove_prefix(std::min(end + 1, groups.size()));
  }
  return false;
}

// Rows that repeat what others say: calls by the value of a parameter, sums that ParaProf made.
bool is_derived(const TauFunction& function) {
  return has_group(function.groups, "TAU_PARAM") ||
         has_group(function.groups, "TAU_CALLPATH_DERIVED");
}

}  // namespace

TauNames::TauNames(ProfileBuilder& builder, const TauProfile& tau) : paths_(tau.functions.size()) {
  for (std::size_t i = 0; i < tau.functions.size(); ++i) {
    const TauFunction& function = tau.functions[i];
    if (is_derived(function)) continue;
    for (const std::string_view part : split_tau_path(function.name)) {
      paths_[i].push_back(add(builder, part, function.groups));
    }
  }
}

std::uint32_t TauNames::add(ProfileBuilder& builder, std::string_view text,
                            const std::string& groups, bool is_timer) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const TauFrame frame = parse_tau_frame(text);
  // Their lines say where the program was, not where the function begins.
  const bool is_sample = frame.kind == TauFrameKind::kSample || frame.kind == TauFrameKind::kUnwind;
  const bool is_python = has_group(groups, "TAU_PYTHON") || frame.file.ends_with(".py");
  const FunctionId function =
      builder.function({.kind = is_python ? FunctionKind::kPython : FunctionKind::kNative,
                        .name = frame.name,
                        .qualified_name = frame.name,
                        .file = frame.file,
                        .short_file = module_relative(frame.file, {}),
                        .first_line = is_sample ? 0 : frame.line});
  std::optional<std::uint32_t> timer;
  if (frame.kind == TauFrameKind::kContext && !is_timer) {
    timer = add(builder, trimmed(text.substr(text.find(']') + 1)), groups, true);
  }
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.push_back({.function = function,
                    .line = is_sample ? frame.line : 0,
                    .kind = frame.kind,
                    .is_application = frame.name == ".TAU application",
                    .timer = timer.value_or(number)});
  numbers_.emplace(text, number);
  return number;
}

TauRows::TauRows(const TauProfile& tau, const TauThread& thread, const TauNames& names)
    : tau_(tau), thread_(thread), names_(names) {
  for (std::size_t row = 0; row < thread.rows.size(); ++row) {
    const auto path = names.of_function(thread.rows[row].function);
    if (path.empty()) continue;
    (path.size() == 1 ? flat_ : paths_).push_back({row, path});
    if (path.size() == 1) {
      const TauNames::Name& name = names[path.front()];
      if (name.kind == TauFrameKind::kContext) contexts_.emplace(name.timer, row);
      continue;
    }
    Rest& sum = ending_[path.back()];
    sum.exclusive.resize(tau.metrics.size());
    sum.calls += thread.rows[row].calls;
    for (std::size_t metric = 0; metric < tau.metrics.size(); ++metric) {
      sum.exclusive[metric] += thread.value(metric, row).exclusive;
    }
  }
}

std::vector<TauRows::Rest> TauRows::unexplained() const {
  std::vector<Rest> rests;
  for (const Path& flat : flat_) {
    const std::uint32_t name = flat.names.front();
    if (names_[name].is_transparent()) continue;
    Rest rest{.name = name, .calls = thread_.rows[flat.row].calls};
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      rest.exclusive.push_back(thread_.value(metric, flat.row).exclusive);
    }
    if (const auto found = ending_.find(name); found != ending_.end()) {
      rest.calls = std::max(0.0, rest.calls - found->second.calls);
      for (std::size_t metric = 0; metric < rest.exclusive.size(); ++metric) {
        // Sums of rounded numbers: nothing that shows in nanoseconds is lost.
        const double left = rest.exclusive[metric] - found->second.exclusive[metric];
        rest.exclusive[metric] = std::max(0.0, left);
      }
    }
    rests.push_back(std::move(rest));
  }
  return rests;
}

bool TauRows::has_whole_paths() const {
  if (paths_.empty()) return false;
  std::set<std::uint32_t> first;
  for (const Path& path : paths_) first.insert(path.names.front());
  return std::ranges::none_of(flat_, [&](const Path& flat) {
    const std::uint32_t name = flat.names.front();
    const TauRow& row = thread_.rows[flat.row];
    const auto ending = ending_.find(name);
    if (ending == ending_.end()) {
      return !first.contains(name) && row.subroutines > 0;  // it calls others, but in no path
    }
    return first.contains(name) && row.calls > 0 && row.calls <= ending->second.calls;
  });
}

bool TauRows::application_is_empty() const {
  for (const Path& flat : flat_) {
    if (!names_[flat.names.front()].is_application) continue;
    for (std::size_t metric = 0; metric < tau_.metrics.size(); ++metric) {
      if (thread_.value(metric, flat.row).exclusive > 0) return false;
    }
  }
  return true;
}

std::optional<std::size_t> TauRows::context_of(std::uint32_t timer) const {
  const auto found = contexts_.find(timer);
  return found == contexts_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> TauRows::last_edge(const Path& path) const {
  std::optional<std::uint32_t> caller, callee;
  if (names_[path.names.back()].is_transparent()) return std::nullopt;
  for (const std::uint32_t name : path.names) {
    if (names_[name].is_transparent()) continue;
    caller = std::exchange(callee, name);
  }
  if (!caller || !callee) return std::nullopt;
  std::size_t times = 0;
  std::optional<std::uint32_t> previous;
  for (const std::uint32_t name : path.names) {
    if (names_[name].is_transparent()) continue;
    times += previous == caller && name == *callee ? 1 : 0;
    previous = name;
  }
  if (times > 1) return std::nullopt;
  return std::pair(*caller, *callee);
}

}  // namespace pyrometer
