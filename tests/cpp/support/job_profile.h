// A job of many ranks with known answers: useful time and MPI calls of each rank at lines that are
// written as text, "main:1;solve:61".
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "profile/builder.h"

namespace pyrometer::testing {

inline constexpr std::int64_t kSecond = 1'000'000'000;

class JobProfile {
 public:
  static constexpr std::int64_t kPeriod = 5'000'000;  // of samples, 200 Hz

  struct Shape {
    std::int64_t ranks = 4;
    std::int64_t wall = 10 * kSecond;
    bool is_sampled = true;
    std::int64_t ranks_per_host = 1'000'000;
    std::vector<std::pair<std::string, std::string>> attributes = {};
    bool has_cpu = true;
  };

  explicit JobProfile(Shape shape) : shape_(std::move(shape)) {
    wall_ = builder_.metric({"wall", Unit::kNanoseconds});
    if (shape_.has_cpu) cpu_ = builder_.metric({"cpu", Unit::kNanoseconds});
    if (shape_.is_sampled) samples_ = builder_.metric({"samples"});
    builder_.profile().is_sampled = shape_.is_sampled;
    for (std::int64_t rank = 0; rank < shape_.ranks; ++rank) add_process(rank);
  }

  // Another process of the rank, whose values are added with `thread_of_child`.
  ThreadId add_child(std::int64_t rank) { return add_process(rank, 1); }
  ThreadId thread(std::int64_t rank) const { return threads_[static_cast<std::size_t>(rank)]; }
  ProfileBuilder& builder() { return builder_; }

  JobProfile& work(std::int64_t rank, const std::string& path, std::int64_t time) {
    return work(thread(rank), path, time);
  }
  JobProfile& work(ThreadId thread, const std::string& path, std::int64_t time) {
    ValueRows::Row row = builder_.values(thread).row(node(path));
    row[wall_] += time;
    if (shape_.has_cpu) row[cpu_] += time;
    if (shape_.is_sampled) row[samples_] += time / kPeriod;
    return *this;
  }
  JobProfile& work_everywhere(const std::string& path, std::int64_t time) {
    for (std::int64_t rank = 0; rank < shape_.ranks; ++rank) work(rank, path, time);
    return *this;
  }

  // Time of another kind: "io", "sleep", "runnable".
  JobProfile& other(std::int64_t rank, const std::string& path, const std::string& metric,
                    std::int64_t time) {
    const MetricId kind = builder_.metric({metric, Unit::kNanoseconds});
    ValueRows::Row row = builder_.values(thread(rank)).row(node(path));
    row[wall_] += time;
    row[kind] += time;
    return *this;
  }

  // Calls of one rank, the quickest of which took `quickest`.
  JobProfile& mpi(std::int64_t rank, const std::string& path, const std::string& call,
                  std::int64_t time, std::int64_t quickest, std::int64_t calls = 1,
                  std::int64_t bytes = 8) {
    const FunctionId function = builder_.function({.kind = FunctionKind::kNative,
                                                   .name = call,
                                                   .qualified_name = call,
                                                   .file = "MPI",
                                                   .short_file = "MPI"});
    const NodeId at = builder_.node(node(path), function, 0);
    builder_.add_mpi_calls({.thread = thread(rank),
                            .node = at,
                            .communicator = static_cast<std::uint32_t>(shape_.ranks),
                            .size_class = 4,
                            .calls = calls,
                            .time = time,
                            .bytes = bytes,
                            .quickest = quickest,
                            .slowest = time});
    return *this;
  }

  NodeId node(const std::string& path) {
    NodeId node = NodeId::none();
    std::istringstream frames(path);
    for (std::string frame; std::getline(frames, frame, ';');) {
      const std::size_t colon = frame.find(':');
      const std::string name = frame.substr(0, colon);
      const bool is_native = name.starts_with('@');  // "@libblas.so"
      const std::string file = is_native ? name.substr(1) : name + ".py";
      const FunctionId function = builder_.function(
          {.kind = is_native ? FunctionKind::kNative : FunctionKind::kPython,
           .name = is_native ? std::string_view(file) : std::string_view(name),
           .qualified_name = is_native ? std::string_view(file) : std::string_view(name),
           .file = file,
           .short_file = file,
           .first_line = is_native ? 0U : 1U});
      node =
          builder_.node(node, function,
                        static_cast<std::uint32_t>(
                            colon == std::string::npos ? 0 : std::stoul(frame.substr(colon + 1))));
    }
    return node;
  }

  Profile finish() { return builder_.finish(); }

 private:
  ThreadId add_process(std::int64_t rank, std::int64_t child = 0) {
    const auto number = static_cast<std::uint64_t>(rank);
    const ProcessId process =
        builder_.add_process({.rank = rank,
                              .world_size = shape_.ranks,
                              .host = "node" + std::to_string(rank / shape_.ranks_per_host),
                              .pid = 1000 + number + static_cast<std::uint64_t>(child) * 1'000'000,
                              .parent_pid = child == 0 ? 1 : 1000 + number,
                              .start = 1'700'000'000 * kSecond + child,
                              .duration = shape_.wall / (child + 1),
                              .source = "r" + std::to_string(rank) + ".pyr",
                              .attributes = shape_.attributes});
    const ThreadId thread = builder_.add_thread(
        {.process = process, .tid = number + 1, .name = builder_.string("MainThread")});
    if (child == 0) threads_.push_back(thread);
    return thread;
  }

  Shape shape_;
  ProfileBuilder builder_;
  MetricId wall_, cpu_, samples_;
  std::vector<ThreadId> threads_;
};

}  // namespace pyrometer::testing
