#include "merge/disk_sources.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "profile/module_path.h"
#include "profile/source_file.h"

namespace pyrometer {
namespace {

// Everybody has the libraries, and they are many: the text of one is worth its bytes where it took
// this share of anything that was measured.
constexpr double kLeastOfLibrary = 0.01;
constexpr std::uint64_t kMostBytes = 4U << 20;  // of one process

struct Candidate {
  StringId file;
  double share = 0;
  bool is_library = false;
};

// For each node the file of the innermost Python function: where native code is called from is what
// a person can look at.
std::vector<StringId> files_of_nodes(const Profile& profile) {
  std::vector<StringId> files(profile.nodes.size(), StringId::none());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Node& node = profile.nodes[i];
    const Function& function = profile.functions[node.function.row()];
    if (function.kind == FunctionKind::kPython) {
      files[i] = function.file;
    } else if (!node.parent.is_none()) {
      files[i] = files[node.parent.row()];
    }
  }
  return files;
}

// By file, the largest share of any metric.
class Shares {
 public:
  explicit Shares(const Profile& profile) {
    const std::vector<StringId> files = files_of_nodes(profile);
    for (const auto& totals : profile.node_totals) {
      for (std::size_t i = 0; i < totals.size(); ++i) add(files[i], totals[i]);
      close();
    }
    for (std::uint32_t metric = 0; metric < profile.metrics.size(); ++metric) {
      for (const LineValue& line : profile.line_values) {
        if (line.metric.row() != metric) continue;
        add(profile.functions[line.function.row()].file, line.value);
      }
      close();
    }
  }

  double of(StringId file) const {
    const auto found = shares_.find(file);
    return found == shares_.end() ? 0 : found->second;
  }

 private:
  void add(StringId file, std::int64_t value) {
    if (value <= 0) return;
    whole_ += static_cast<double>(value);
    if (!file.is_none()) sums_[file] += static_cast<double>(value);
  }

  // A metric is complete.
  void close() {
    for (const auto& [file, sum] : sums_) shares_[file] = std::max(shares_[file], sum / whole_);
    sums_.clear();
    whole_ = 0;
  }

  std::map<StringId, double> shares_, sums_;
  double whole_ = 0;
};

bool has_text(const Profile& profile, StringId file) {
  const auto found = profile.sources.find(file);
  return found != profile.sources.end() && !found->second.is_hash;
}

// Own files first, then by share.
std::vector<Candidate> find_candidates(const Profile& profile) {
  const std::vector<std::string> roots = module_search_paths(profile);
  const Shares shares(profile);
  std::map<StringId, Candidate> by_file;
  for (const Function& function : profile.functions) {
    const std::string_view path = profile.text(function.file);
    if (function.kind != FunctionKind::kPython || !path.starts_with('/')) continue;
    if (by_file.contains(function.file) || has_text(profile, function.file)) continue;
    const bool is_library = source_owner(path, roots) != SourceOwner::kUser;
    by_file[function.file] = {function.file, shares.of(function.file), is_library};
  }
  std::vector<Candidate> candidates;
  for (const auto& [file, candidate] : by_file) {
    if (candidate.is_library && candidate.share < kLeastOfLibrary) continue;
    candidates.push_back(candidate);
  }
  std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.is_library != b.is_library) return b.is_library;
    if (a.share != b.share) return a.share > b.share;
    return profile.text(a.file) < profile.text(b.file);
  });
  return candidates;
}

std::int64_t ns_since_1970(std::filesystem::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(system).count();
}

// When the first of its processes began; 0: unknown.
std::int64_t begin_of(const Profile& profile) {
  std::int64_t begin = 0;
  for (const Process& process : profile.processes) {
    if (process.start == 0) return 0;
    begin = begin == 0 ? process.start : std::min(begin, process.start);
  }
  return begin;
}

}  // namespace

DiskSources::File& DiskSources::look_up(const std::string& path) {
  const auto [found, is_new] = files_.try_emplace(path);
  File& file = found->second;
  if (!is_new) return file;
  std::error_code changed_error, size_error;
  const auto changed = std::filesystem::last_write_time(path, changed_error);
  file.size = std::filesystem::file_size(path, size_error);
  file.is_there = !changed_error && !size_error;
  if (file.is_there) file.changed = ns_since_1970(changed);
  return file;
}

void DiskSources::add_to(Profile& profile) {
  const std::int64_t begin = begin_of(profile);
  if (begin == 0) return;
  std::uint64_t left = kMostBytes;
  for (const Candidate& candidate : find_candidates(profile)) {
    const std::string path(profile.text(candidate.file));
    File& file = look_up(path);
    if (!file.is_there || file.changed > begin || file.size > left) continue;
    left -= file.size;
    if (file.is_taken) continue;
    auto text = read_source_text(path);
    if (!text) {
      file.is_there = false;
      continue;
    }
    file.is_taken = true;
    profile.sources.insert_or_assign(candidate.file,
                                     SourceText{.is_hash = false, .content = *std::move(text)});
  }
}

}  // namespace pyrometer
