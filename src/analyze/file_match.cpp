#include "analyze/file_match.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace pyrometer {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// How many folders and the name at the end of both are equal.
std::size_t common_end(std::string_view a, std::string_view b) {
  std::size_t parts = 0;
  while (!a.empty() && !b.empty() && base_name(a) == base_name(b)) {
    ++parts;
    a.remove_suffix(std::min(a.size(), base_name(a).size() + 1));
    b.remove_suffix(std::min(b.size(), base_name(b).size() + 1));
  }
  return parts;
}

struct Candidate {
  std::size_t parts;
  std::string_view ours, theirs;
};

}  // namespace

std::map<std::string, std::string> match_files(const std::set<std::string>& ours,
                                               const std::set<std::string>& theirs) {
  std::map<std::string, std::string> matched;
  std::map<std::string_view, std::vector<std::string_view>> left;  // of theirs, by base name
  for (const std::string& file : ours) {
    if (theirs.contains(file)) matched.emplace(file, file);
  }
  for (const std::string& file : theirs) {
    if (!ours.contains(file)) left[base_name(file)].push_back(file);
  }
  std::vector<Candidate> candidates;
  for (const std::string& file : ours) {
    const auto found = left.find(base_name(file));
    if (matched.contains(file) || found == left.end()) continue;
    for (const std::string_view other : found->second) {
      // Two names relative to the search path differ because the modules do.
      if (!file.starts_with('/') && !other.starts_with('/')) continue;
      candidates.push_back({common_end(file, other), file, other});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.parts > b.parts; });
  // The longest common ends first; of those that tie for a file none is taken.
  std::map<std::string_view, std::size_t> ours_parts, theirs_parts, ours_ties, theirs_ties;
  for (const Candidate& candidate : candidates) {
    const std::size_t best_of_ours =
        ours_parts.try_emplace(candidate.ours, candidate.parts).first->second;
    const std::size_t best_of_theirs =
        theirs_parts.try_emplace(candidate.theirs, candidate.parts).first->second;
    ours_ties[candidate.ours] += candidate.parts == best_of_ours ? 1 : 0;
    theirs_ties[candidate.theirs] += candidate.parts == best_of_theirs ? 1 : 0;
  }
  for (const Candidate& candidate : candidates) {
    const bool is_best = candidate.parts == ours_parts[candidate.ours] &&
                         candidate.parts == theirs_parts[candidate.theirs];
    const bool is_only = ours_ties[candidate.ours] == 1 && theirs_ties[candidate.theirs] == 1;
    if (is_best && is_only) matched.emplace(candidate.ours, candidate.theirs);
  }
  return matched;
}

}  // namespace pyrometer
