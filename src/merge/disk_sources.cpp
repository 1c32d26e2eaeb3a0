#include "merge/disk_sources.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "profile/module_path.h"
#include "profile/source_file.h"

namespace pyrometer {
namespace {

// Everybody has the libraries, and they are many: the text of one is worth its bytes where it took
// this share of anything that was measured.
constexpr double kLeastOfLibrary = 0.01;
constexpr std::uint64_t kMostBytes = 4U << 20;  // of one process

constexpr std::uint32_t kNone = ~0U;

// The source files that functions are in, numbered.
struct Files {
  std::vector<StringId> names;
  std::vector<std::uint32_t> of_function;  // kNone: not Python's, or of no file

  explicit Files(const Profile& profile) {
    std::vector<std::uint32_t> numbers(profile.strings.size(), kNone);
    for (const Function& function : profile.functions) {
      const bool has_file =
          function.kind == FunctionKind::kPython && profile.text(function.file).starts_with('/');
      if (!has_file) {
        of_function.push_back(kNone);
        continue;
      }
      std::uint32_t& number = numbers[function.file.row()];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(names.size());
        names.push_back(function.file);
      }
      of_function.push_back(number);
    }
  }
};

// By file, the largest share that it has of any metric.
class Shares {
 public:
  Shares(const Profile& profile, const Files& files) : width_(files.names.size()), shares_(width_) {
    add_nodes(profile, files);
    add_lines(profile, files);
  }

  double of(std::size_t file) const { return shares_[file]; }

 private:
  // What native code took is its caller's: that is what a person can look at.
  void add_nodes(const Profile& profile, const Files& files) {
    std::vector<std::uint32_t> of_node(profile.nodes.size(), kNone);
    for (std::size_t i = 0; i < of_node.size(); ++i) {
      const Node& node = profile.nodes[i];
      const bool is_python = profile.functions[node.function.row()].kind == FunctionKind::kPython;
      if (is_python) {
        of_node[i] = files.of_function[node.function.row()];
      } else if (!node.parent.is_none()) {
        of_node[i] = of_node[node.parent.row()];
      }
    }
    begin(profile.metrics.size());
    for (std::size_t metric = 0; metric < profile.node_totals.size(); ++metric) {
      const std::vector<std::int64_t>& totals = profile.node_totals[metric];
      for (std::size_t i = 0; i < totals.size(); ++i) add(metric, of_node[i], totals[i]);
    }
    end();
  }

  void add_lines(const Profile& profile, const Files& files) {
    begin(profile.metrics.size());
    for (const LineValue& line : profile.line_values) {
      add(line.metric.row(), files.of_function[line.function.row()], line.value);
    }
    end();
  }

  void begin(std::size_t metrics) {
    sums_.assign(metrics * width_, 0);
    wholes_.assign(metrics, 0);
  }
  void add(std::size_t metric, std::uint32_t file, std::int64_t value) {
    if (value <= 0) return;
    wholes_[metric] += static_cast<double>(value);
    if (file != kNone) sums_[metric * width_ + file] += static_cast<double>(value);
  }
  void end() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i] > 0) {
        double& share = shares_[i % width_];
        share = std::max(share, sums_[i] / wholes_[i / width_]);
      }
    }
  }

  std::size_t width_;
  std::vector<double> shares_, sums_, wholes_;
};

struct Candidate {
  StringId file;
  double share = 0;
  bool is_library = false;
};

// Own files first, then by share.
std::vector<Candidate> find_candidates(const Profile& profile) {
  const std::vector<std::string> roots = module_search_paths(profile);
  const Files files(profile);
  const Shares shares(profile, files);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < files.names.size(); ++i) {
    const StringId name = files.names[i];
    if (profile.sources.contains(name)) continue;
    const bool is_library = source_owner(profile.text(name), roots) != SourceOwner::kUser;
    if (is_library && shares.of(i) < kLeastOfLibrary) continue;
    candidates.push_back({name, shares.of(i), is_library});
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
    if (!file.is_taken) {
      auto text = read_source_text(path);
      file.is_there = file.is_taken = text.has_value();
      if (!text) continue;
      profile.sources.emplace(candidate.file,
                              SourceText{.is_hash = false, .content = *std::move(text)});
    }
    left -= file.size;  // also where an earlier process brought it: the first to come gets no more
  }
}

}  // namespace pyrometer
