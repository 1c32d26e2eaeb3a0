// The profile of one rank of a job that speaks MPI: calls from two places and two threads, and
// samples in time on its own clock. What a call takes differs by rank, so waits do.
#pragma once

#include <cstdint>
#include <string>

#include "profile/builder.h"
#include "profile/mpi_values.h"

namespace pyrometer::testing {

class ParallelProfile {
 public:
  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kPeriod = 5'000'000;
  static constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

  ParallelProfile(std::int64_t rank, std::int64_t seconds) : rank_(rank) {
    clock_ = 77 * kSecond + 1000 * rank;
    process_ = builder_.add_process({.rank = rank,
                                     .world_size = 4,
                                     .host = "node" + std::to_string(rank / 2),
                                     .pid = 100 + static_cast<std::uint64_t>(rank),
                                     .start = kStart + 3000 * rank,
                                     .duration = seconds * kSecond,
                                     .clock = clock_,
                                     .exit_status = 0,
                                     .source = "r" + std::to_string(rank) + ".pyr"});
    for (const ThreadClass thread_class :
         {ThreadClass::kMain, ThreadClass::kPython, ThreadClass::kPython}) {
      threads_.push_back(builder_.add_thread({.process = process_,
                                              .thread_class = thread_class,
                                              .name = builder_.string("thread"),
                                              .start = clock_}));
    }
    const FunctionId main = builder_.function({.name = "main", .short_file = "solve.py"});
    main_ = builder_.node(NodeId::none(), main, 10);
    loop_ = builder_.node(NodeId::none(), main, 20);
    reduce_ = builder_.node(loop_, mpi_function("MPI_Allreduce"), 0);
    send_ = builder_.node(loop_, mpi_function("MPI_Send"), 0);
    add_calls();
    add_samples(seconds);
    builder_.profile().is_sampled = true;
  }

  Profile finish() { return builder_.finish(); }

 private:
  FunctionId mpi_function(std::string_view name) {
    return builder_.function({.kind = FunctionKind::kNative,
                              .name = name,
                              .qualified_name = name,
                              .file = kMpiFile,
                              .short_file = kMpiFile});
  }

  void add_calls() {
    for (const ThreadId thread : threads_) {
      const std::int64_t each = 1000 + 100 * rank_ + 10 * thread.row();
      builder_.add_mpi_calls({thread, reduce_, 4, 3, 10, 10 * each, 80, each - 5, each + 5});
      builder_.add_mpi_calls(
          {thread, reduce_, 4, 20, 2, 2000 * each, 1 << 21, 900 * each, 1100 * each});
      if (rank_ % 2 == 0) {
        builder_.add_mpi_calls({thread, send_, 0, 3, 1, 50 + rank_, 8, 50 + rank_, 50 + rank_});
      }
    }
  }

  // The main thread computes for three quarters of each second and is in MPI for the rest; of the
  // two others one sleeps all the time, in one long sample, and one runs native code.
  void add_samples(std::int64_t seconds) {
    const MetricId wall = time("wall"), cpu = time("cpu"), python = time("python"),
                   native = time("native"), mpi = time("mpi"), sleep = time("sleep");
    auto& samples = builder_.profile().samples;
    const std::vector<MetricId> metrics{wall, cpu, python, native, mpi, sleep};
    SampleTrack main(threads_[0], metrics), sleeping(threads_[1], metrics),
        running(threads_[2], metrics);
    for (std::int64_t at = kPeriod; at <= seconds * kSecond; at += kPeriod) {
      const bool computes = at % kSecond < kSecond * 3 / 4;
      const std::int64_t busy = computes ? kPeriod : 0;
      const std::int64_t in_mpi = kPeriod - busy;
      main.append(clock_ + at, computes ? main_ : reduce_,
                  std::vector<std::int64_t>{kPeriod, busy, busy, 0, in_mpi, 0});
      running.append(clock_ + at, loop_,
                     std::vector<std::int64_t>{kPeriod, kPeriod, 0, kPeriod, 0, 0});
    }
    const std::int64_t all = seconds * kSecond;
    sleeping.append(clock_ + all, main_, std::vector<std::int64_t>{all, 0, 0, 0, 0, all});
    for (SampleTrack* track : {&main, &sleeping, &running}) {
      track->for_each([&](std::int64_t, NodeId node, std::span<const std::int64_t> values) {
        for (std::size_t i = 0; i < metrics.size(); ++i) {
          builder_.values(track->thread()).row(node)[metrics[i]] += values[i];
        }
      });
      samples.push_back(std::move(*track));
    }
  }

  MetricId time(const char* name) {
    return builder_.metric({name, Unit::kNanoseconds, Combine::kSum});
  }

  std::int64_t rank_;
  std::int64_t clock_ = 0;
  ProfileBuilder builder_;
  ProcessId process_;
  std::vector<ThreadId> threads_;
  NodeId main_, loop_, reduce_, send_;
};

inline Profile parallel_profile(std::int64_t rank, std::int64_t seconds = 2) {
  return ParallelProfile(rank, seconds).finish();
}

}  // namespace pyrometer::testing
