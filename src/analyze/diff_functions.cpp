#include "analyze/diff_functions.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyze/file_match.h"

namespace pyrometer {
namespace {

using Place = std::tuple<std::string_view, std::string_view, std::uint32_t, std::uint32_t>;

Place place_of(const CostRow& row) { return {row.file, row.name, row.first_line, row.line}; }

Observation observe(const CostRow* row, const CostTable& run) {
  if (row == nullptr) return {.quantum = quantum_of(run)};
  return {static_cast<double>(row->value), static_cast<double>(row->samples), quantum_of(run)};
}

// Several functions of one name: lambdas, or the branches of an if. Those that did not move first,
// then in their order. Both come by first line.
void pair_group(std::span<const SideFunction> before, std::span<const SideFunction> after,
                std::span<const std::size_t> ours, std::span<const std::size_t> theirs,
                std::vector<FunctionPair>& pairs) {
  std::vector<std::size_t> left_before, left_after;
  std::size_t i = 0, j = 0;
  while (i < ours.size() && j < theirs.size()) {
    const std::uint32_t old_line = before[ours[i]].first_line;
    const std::uint32_t new_line = after[theirs[j]].first_line;
    if (old_line == new_line) {
      pairs.emplace_back(ours[i++], theirs[j++]);
    } else if (old_line < new_line) {
      left_before.push_back(ours[i++]);
    } else {
      left_after.push_back(theirs[j++]);
    }
  }
  left_before.insert(left_before.end(), ours.begin() + static_cast<std::ptrdiff_t>(i), ours.end());
  left_after.insert(left_after.end(), theirs.begin() + static_cast<std::ptrdiff_t>(j),
                    theirs.end());
  for (std::size_t k = 0; k < std::max(left_before.size(), left_after.size()); ++k) {
    FunctionPair& pair = pairs.emplace_back();
    if (k < left_before.size()) pair.first = left_before[k];
    if (k < left_after.size()) pair.second = left_after[k];
  }
}

// "Grid.step" -> "step". Names of built-in functions are whole: "<built-in method time.sleep>".
std::string last_part(const std::string& name) {
  return name.starts_with('<') ? name : name.substr(name.rfind('.') + 1);
}

// What has no file is in "~" in files of cProfile.
std::string file_in_common(const std::string& file) { return file == "~" ? std::string() : file; }

bool has_qualified_names(const DiffSide& side) {
  return std::any_of(side.runs.begin(), side.runs.end(),
                     [](const CostTable& run) { return run.has_qualified_names; });
}

std::set<std::string> files_of(std::span<const SideFunction> functions) {
  std::set<std::string> files;
  for (const SideFunction& function : functions) files.insert(function.file);
  return files;
}

}  // namespace

double quantum_of(const CostTable& run) {
  if (!run.is_sampled || run.samples <= 0) return 0;
  return static_cast<double>(run.total) / static_cast<double>(run.samples);
}

std::vector<SideFunction> functions_of(const DiffSide& side) {
  std::map<Place, std::vector<const CostRow*>> places;  // with a place for every run
  for (std::size_t i = 0; i < side.runs.size(); ++i) {
    for (const CostRow& row : side.runs[i].rows) {
      auto& rows = places[place_of(row)];
      rows.resize(side.runs.size());
      rows[i] = &row;
    }
  }
  std::vector<SideFunction> functions;
  for (const auto& [place, rows] : places) {
    const CostRow& first =
        **std::find_if(rows.begin(), rows.end(), [](const auto* row) { return row != nullptr; });
    std::vector<Observation> observations;
    double hits = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      observations.push_back(observe(rows[i], side.runs[i]));
      if (rows[i] != nullptr) hits += static_cast<double>(rows[i]->hits);
    }
    const bool is_next = functions.empty() || functions.back().file != first.file ||
                         functions.back().name != first.name ||
                         functions.back().first_line != first.first_line;
    if (is_next) functions.push_back({first.file, first.name, first.first_line});
    functions.back().rows.push_back(
        {first, estimate(observations), hits / static_cast<double>(rows.size())});
  }
  return functions;
}

Estimate estimate_nothing(const DiffSide& side) {
  std::vector<Observation> observations;
  for (const CostTable& run : side.runs) observations.push_back(observe(nullptr, run));
  return estimate(observations);
}

KnownNames names_to_compare(const DiffSide& before, const DiffSide& after) {
  return has_qualified_names(before) == has_qualified_names(after) ? KnownNames::kQualified
                                                                   : KnownNames::kLastParts;
}

std::vector<FunctionPair> match_functions(std::span<const SideFunction> before,
                                          std::span<const SideFunction> after, KnownNames names) {
  const auto files = match_files(files_of(before), files_of(after));
  struct Group {
    std::vector<std::size_t> before, after;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  const auto group_of = [&](const std::string& file, const std::string& name) -> Group& {
    if (names == KnownNames::kQualified) return groups[{file, name}];
    const std::string common = file_in_common(file);
    return groups[{common, common.empty() ? name : last_part(name)}];
  };
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto moved = files.find(before[i].file);
    const std::string& file = moved == files.end() ? before[i].file : moved->second;
    group_of(file, before[i].name).before.push_back(i);
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    group_of(after[i].file, after[i].name).after.push_back(i);
  }
  std::vector<FunctionPair> pairs;
  const auto sort_by_line = [](std::vector<std::size_t>& indices, auto functions) {
    std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return functions[a].first_line < functions[b].first_line;
    });
  };
  for (auto& [key, group] : groups) {
    sort_by_line(group.before, before);
    sort_by_line(group.after, after);
    pair_group(before, after, group.before, group.after, pairs);
  }
  return pairs;
}

}  // namespace pyrometer
