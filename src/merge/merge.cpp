#include "merge/merge.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "load/load.h"
#include "merge/shard.h"
#include "merge/write_merged.h"

namespace pyrometer {
namespace {

constexpr std::size_t kHeader = 100;
constexpr unsigned kMostWorkers = 16;
// Packed values that may stay in memory, over all workers.
constexpr std::uint64_t kMemoryLimit = 128U << 20;

// Reads all inputs, each worker into a shard of its own.
class Reading {
 public:
  Reading(const std::vector<Input>& inputs, const Path& output, const Progress& progress)
      : inputs_(inputs), progress_(progress), errors_(inputs.size()), unreadable_(inputs.size()) {
    const std::size_t workers = std::clamp<std::size_t>(
        std::thread::hardware_concurrency(), 1, std::min<std::size_t>(kMostWorkers, inputs.size()));
    for (std::size_t i = 0; i < workers; ++i) shards_.emplace_back(output, kMemoryLimit / workers);
  }

  Result<void> run() {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < shards_.size(); ++i) {
      threads.emplace_back([this, i] { work(shards_[i]); });
    }
    work(shards_[0]);
    for (std::thread& thread : threads) thread.join();

    std::optional<Error> first_error;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (errors_[i]) return tl::unexpected(*errors_[i]);
      if (!unreadable_[i]) continue;
      if (!first_error) first_error = unreadable_[i];
      left_out_.push_back("left out: " + unreadable_[i]->message);
      shards_[0].add_note(left_out_.back());
    }
    if (left_out_.size() == inputs_.size()) return tl::unexpected(*first_error);
    return {};
  }

  std::vector<Shard>& shards() { return shards_; }
  std::vector<std::string>& left_out() { return left_out_; }

 private:
  void work(Shard& shard) {
    // Numbers are given out in order: when one fails, all before it have been tried, so the
    // first error is always the same one.
    while (!stopped_) {
      const std::size_t number = next_++;
      if (number >= inputs_.size()) return;
      if (auto added = add(number, shard); !added) {
        errors_[number] = std::move(added).error();
        stopped_ = true;
      }
      const std::lock_guard lock(progress_mutex_);
      report_progress(progress_, "reading", ++done_, inputs_.size());
    }
  }

  Result<void> add(std::size_t number, Shard& shard) {
    const auto& [path, is_of_run] = inputs_[number];
    if (const auto prefix = read_prefix(path, kHeader); prefix && looks_like_pyro(*prefix)) {
      PYROMETER_TRY(const PyroReader reader, PyroReader::open(path));
      return shard.add(reader);
    }
    auto profile = load_file(path, Detail::kValues);
    if (!profile && is_of_run) {
      unreadable_[number] = std::move(profile).error();
      return {};
    }
    if (!profile) return tl::unexpected(std::move(profile).error());
    return shard.add(*std::move(profile));
  }

  const std::vector<Input>& inputs_;
  const Progress& progress_;
  std::vector<Shard> shards_;
  // By input: what ends the merge, and what only leaves one file out.
  std::vector<std::optional<Error>> errors_, unreadable_;
  std::vector<std::string> left_out_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
};

}  // namespace

Result<MergeSummary> merge_files(std::span<const Path> names, const Path& output,
                                 const Progress& progress) {
  PYROMETER_TRY(const std::vector<Input> inputs, expand_inputs(names));
  if (inputs.empty()) {
    return fail(ErrorCode::kUsage, "nothing to merge; name run directories or profile files");
  }
  Reading reading(inputs, output, progress);
  PYROMETER_TRY_VOID(reading.run());
  PYROMETER_TRY(const MergedCounts counts, write_merged(reading.shards(), output, progress));
  std::error_code ignored;
  return MergeSummary{.files = inputs.size() - reading.left_out().size(),
                      .processes = counts.processes,
                      .functions = counts.functions,
                      .nodes = counts.nodes,
                      .bytes = std::filesystem::file_size(output, ignored),
                      .left_out = std::move(reading.left_out())};
}

}  // namespace pyrometer
