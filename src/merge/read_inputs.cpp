#include "merge/read_inputs.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "merge/disk_sources.h"

namespace pyrometer {
namespace {

constexpr std::size_t kHeader = 100;
constexpr unsigned kMostWorkers = 16;
// Packed values that may stay in memory, over all workers.
constexpr std::uint64_t kMemoryLimit = 96U << 20;

// Which inputs a member reads. Recordings of a run come in the order of their ranks: then a panel
// is read by the member that writes it. Small jobs are spread evenly.
std::vector<std::size_t> part_of(std::size_t inputs, const Team& team) {
  const std::size_t panels = inputs / kProcessesPerBlock;
  const std::size_t at_once = panels >= team.size() ? kProcessesPerBlock : 1;
  std::vector<std::size_t> part;
  for (std::size_t i = 0; i < inputs; ++i) {
    if (i / at_once % team.size() == team.member()) part.push_back(i);
  }
  return part;
}

// What went wrong with one input.
struct Trouble {
  std::size_t number = 0;
  bool ends_merge = false;
  Error error;
};

class Reading {
 public:
  Reading(const MergeInputs& inputs, const Path& output, const ReadOptions& options, Team& team)
      : inputs_(inputs), options_(options), team_(team), part_(part_of(inputs.files.size(), team)) {
    const std::size_t count = std::clamp<std::size_t>(
        options.workers, 1, std::clamp<std::size_t>(part_.size(), 1, kMostWorkers));
    for (std::size_t i = 0; i < count; ++i) shards_.emplace_back(output, kMemoryLimit / count);
  }

  Result<ReadFiles> run() {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < shards_.size(); ++i) {
      threads.emplace_back([this, i] { work(shards_[i]); });
    }
    work(shards_[0]);
    for (std::thread& thread : threads) thread.join();
    return judge(share_troubles());
  }

 private:
  void work(Shard& shard) {
    DiskSources sources;
    // Numbers are given out in order: when one fails, all before it have been tried, so the
    // first error is always the same one.
    while (!stopped_) {
      const std::size_t next = next_++;
      if (next >= part_.size()) return;
      add(part_[next], shard, sources);
      const std::lock_guard lock(mutex_);
      report_progress(options_.progress, "reading", ++done_, part_.size());
    }
  }

  void add(std::size_t number, Shard& shard, DiskSources& sources) {
    const auto& [path, is_of_run] = inputs_.files[number];
    bool is_loaded = false;
    const auto added = [&]() -> Result<void> {
      if (const auto prefix = read_prefix(path, kHeader); prefix && looks_like_pyro(*prefix)) {
        is_loaded = true;
        PYROMETER_TRY(const PyroReader reader, PyroReader::open(path));
        return shard.add(reader, [this](const Process& process) {
          return !inputs_.replaced.contains(process.source);
        });
      }
      PYROMETER_TRY(Profile profile, load_file(path, Detail::kSamples));
      is_loaded = true;
      if (!options_.without_sources) sources.add_to(profile);
      return shard.add(std::move(profile));
    }();
    if (added) return;
    const bool ends_merge = is_loaded || !is_of_run;
    if (ends_merge) stopped_ = true;
    const std::lock_guard lock(mutex_);
    troubles_.push_back({number, ends_merge, added.error()});
  }

  // Those of all members, in the order of the inputs.
  std::vector<Trouble> share_troubles() {
    ByteWriter own;
    for (const Trouble& trouble : troubles_) {
      own.varint(trouble.number);
      own.u8(trouble.ends_merge ? 1 : 0);
      own.u8(static_cast<std::uint8_t>(trouble.error.code));
      own.sized_bytes(trouble.error.message);
    }
    std::string all;
    for (const std::string& each : gather(team_, own.bytes())) all += each;
    const std::string bytes = broadcast(team_, std::move(all));
    std::vector<Trouble> troubles;
    for (ByteReader in(bytes); in.remaining() > 0;) {
      Trouble trouble{.number = in.varint(), .ends_merge = in.u8() != 0, .error = {}};
      trouble.error.code = static_cast<ErrorCode>(in.u8());
      trouble.error.message = in.sized_bytes();
      troubles.push_back(std::move(trouble));
    }
    std::sort(troubles.begin(), troubles.end(),
              [](const Trouble& a, const Trouble& b) { return a.number < b.number; });
    return troubles;
  }

  Result<ReadFiles> judge(const std::vector<Trouble>& troubles) {
    ReadFiles read{std::move(shards_), {}};
    for (const Trouble& trouble : troubles) {
      if (trouble.ends_merge) return tl::unexpected(trouble.error);
      read.left_out.push_back("left out: " + trouble.error.message);
      read.shards[0].add_note(read.left_out.back());
    }
    if (read.left_out.size() == inputs_.files.size()) {
      return tl::unexpected(troubles.front().error);
    }
    return read;
  }

  const MergeInputs& inputs_;
  const ReadOptions& options_;
  Team& team_;
  std::vector<std::size_t> part_;
  std::vector<Shard> shards_;
  std::vector<Trouble> troubles_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

Result<ReadFiles> read_inputs(const MergeInputs& inputs, const Path& output,
                              const ReadOptions& options, Team& team) {
  return Reading(inputs, output, options, team).run();
}

}  // namespace pyrometer
