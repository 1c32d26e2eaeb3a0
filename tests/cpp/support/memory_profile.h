// Profiles with memory whose answers are known, written as paths: "main:3;load:7".
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "profile/builder.h"

namespace pyrometer::testing {

class MemoryProfile {
 public:
  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kClock = 50 * kSecond;  // of each process, when it begins
  static constexpr std::int64_t kMiB = 1 << 20;
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  using Points = std::vector<std::pair<double, std::int64_t>>;  // seconds since the beginning

  MemoryProfile() { builder_.metric({"wall", Unit::kNanoseconds}); }

  // What follows is of this process.
  void begin_process(Attributes attributes = {}, double start = 0) {
    const auto number = static_cast<std::int64_t>(builder_.profile().processes.size());
    process_ = builder_.add_process({.rank = number,
                                     .host = "node",
                                     .pid = 100 + static_cast<std::uint64_t>(number),
                                     .start = 1'700'000'000 * kSecond + nanoseconds(start),
                                     .duration = 10 * kSecond,
                                     .clock = kClock,
                                     .source = "test.pyr",
                                     .attributes = std::move(attributes)});
    thread_ = builder_.add_thread({.process = process_, .name = builder_.string("MainThread")});
  }

  NodeId node(const std::string& path) {
    NodeId node = NodeId::none();
    std::istringstream frames(path);
    for (std::string frame; std::getline(frames, frame, ';');) {
      const std::size_t colon = frame.find(':');
      const std::string name = frame.substr(0, colon);
      const bool is_native = colon == std::string::npos;
      const bool is_library = name.starts_with("np_");
      const std::string file =
          is_native ? "" : (is_library ? "/usr/lib/python3/dist-packages/" : "/home/user/") + name;
      const auto line =
          is_native ? 0 : static_cast<std::uint32_t>(std::stoul(frame.substr(colon + 1)));
      node = builder_.node(
          node,
          builder_.function({.kind = is_native ? FunctionKind::kNative : FunctionKind::kPython,
                             .name = name,
                             .qualified_name = name,
                             .file = is_native ? "" : file + ".py",
                             .short_file = is_native ? "" : name + ".py",
                             .first_line = is_native ? 0U : 1U}),
          line);
    }
    return node;
  }

  void set(const std::string& path, std::string_view metric, std::int64_t value) {
    const bool is_count = metric == "allocations" || metric == "copies";
    const Unit unit = is_count ? Unit::kCount : Unit::kBytes;
    builder_.values(thread_).row(node(path))[builder_.metric({std::string(metric), unit})] = value;
  }

  void live(const std::string& path, const Points& points) {
    LiveTrack track{thread_, node(path), {}};
    for (const auto& [time, bytes] : points) {
      track.points.emplace_back(kClock + nanoseconds(time), bytes);
    }
    builder_.profile().live_tracks.push_back(std::move(track));
  }

  void counter(std::string_view name, const Points& points) {
    CounterSeries series{process_, builder_.string(name), Unit::kBytes, {}};
    for (const auto& [time, bytes] : points) {
      series.points.emplace_back(kClock + nanoseconds(time), bytes);
    }
    builder_.profile().counters.push_back(std::move(series));
  }

  void region(std::string_view name, double start, double seconds, std::uint32_t depth = 0) {
    builder_.profile().regions.push_back({.thread = thread_,
                                          .name = builder_.string(name),
                                          .start = kClock + nanoseconds(start),
                                          .duration = nanoseconds(seconds),
                                          .depth = depth});
  }

  ProfileBuilder& builder() { return builder_; }
  ThreadId thread() const { return thread_; }
  Profile finish() { return builder_.finish(); }

 private:
  static std::int64_t nanoseconds(double seconds) {
    return static_cast<std::int64_t>(seconds * 1e9);
  }

  ProfileBuilder builder_;
  ProcessId process_;
  ThreadId thread_;
};

}  // namespace pyrometer::testing
