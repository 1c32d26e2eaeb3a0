// The profile of one rank of a small job that has something of everything: threads of all
// classes, native code, lines, call edges, regions, counters, messages and sources. Ranks
// share most of their call tree; values differ.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "profile/builder.h"

namespace pyrometer::testing {

class RankProfile {
 public:
  explicit RankProfile(std::int64_t rank, std::uint32_t python_threads = 2) : rank_(rank) {
    add_process_and_threads(python_threads);
    add_functions();
    add_values();
    add_lines_and_edges();
    add_events();
  }

  Profile finish() { return builder_.finish(); }

 private:
  void add_process_and_threads(std::uint32_t python_threads) {
    process_ =
        builder_.add_process({.rank = rank_,
                              .world_size = 1000,
                              .host = "node" + std::to_string(rank_ % 3),
                              .pid = 4000 + static_cast<std::uint64_t>(rank_),
                              .parent_pid = 17,
                              .start = 1'700'000'000'000'000'000 + rank_ % 5,
                              .duration = 60'000'000'000 + rank_,
                              .status = static_cast<ProcessStatus>(rank_ % 4),
                              .exit_status = {},
                              .trouble = rank_ % 4 == 3 ? "byte 77 is wrong" : "",
                              .source = "r" + std::to_string(rank_) + ".pyr",
                              .attributes = {{"sys.path", "/home/me"}, {"sys.path", "/lib"}}});
    if (rank_ % 2 == 0) builder_.profile().processes[0].exit_status = rank_ % 7 - 3;
    add_thread(ThreadClass::kMain);
    for (std::uint32_t i = 0; i < python_threads; ++i) add_thread(ThreadClass::kPython);
    add_thread(ThreadClass::kNative);
  }

  void add_thread(ThreadClass thread_class) {
    const auto number = static_cast<std::int64_t>(threads_.size());
    threads_.push_back(builder_.add_thread({.process = process_,
                                            .thread_class = thread_class,
                                            .tid = 0,
                                            .name = builder_.string(name_of(thread_class)),
                                            .start = 1000 + number,
                                            .end = number == 0 ? 0 : 9000 + number}));
  }

  void add_functions() {
    // Ranks do not meet functions and metrics in the same order.
    if (rank_ % 2 == 1) peak_ = builder_.metric({"peak", Unit::kBytes, Combine::kMax});
    wall_ = builder_.metric({"wall", Unit::kNanoseconds, Combine::kSum});
    calls_ = builder_.metric({"calls", Unit::kCount, Combine::kSum});
    peak_ = builder_.metric({"peak", Unit::kBytes, Combine::kMax});
    if (rank_ % 2 == 1) solve_ = python_function("Solver.solve", "wave.py", 20);
    main_ = python_function("main", "wave.py", 1);
    solve_ = python_function("Solver.solve", "wave.py", 20);
    odd_ = python_function(std::string("\xff\0<lambda>", 10), "odd \n name.py", 3);
    print_ = builder_.function({.kind = FunctionKind::kBuiltin,
                                .name = "print",
                                .qualified_name = "",
                                .file = "~",
                                .short_file = "~"});
    const ModuleId libm = builder_.module("/usr/lib/libm.so.6", std::string("\x01\0\xab", 3));
    native_ = builder_.function({.kind = FunctionKind::kNative,
                                 .name = "libm.so.6+0x123",
                                 .qualified_name = "libm.so.6+0x123",
                                 .file = "/usr/lib/libm.so.6",
                                 .short_file = "libm.so.6",
                                 .module = libm,
                                 .offset = 0xfedcba9876543210});
    label_ = builder_.function(
        {.kind = FunctionKind::kLabel, .name = "waiting for the GIL", .qualified_name = {}});
  }

  FunctionId python_function(std::string_view name, const std::string& file, std::uint32_t line) {
    // Where the program is installed differs by host, what it is does not.
    return builder_.function({.kind = FunctionKind::kPython,
                              .name = name.substr(name.rfind('.') + 1),
                              .qualified_name = name,
                              .file = "/home/host" + std::to_string(rank_ % 3) + "/" + file,
                              .short_file = file,
                              .first_line = line,
                              .first_column = 5});
  }

  void add_values() {
    const NodeId main = builder_.node(NodeId::none(), main_, 10);
    const NodeId solve = builder_.node(main, solve_, 21);
    const NodeId inner = builder_.node(solve, solve_, 25);
    const NodeId native = builder_.node(inner, native_, 0);
    const NodeId label = builder_.node(NodeId::none(), label_, 0);
    const NodeId own = builder_.node(main, odd_, static_cast<std::uint32_t>(rank_ % 10));
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      ValueRows& values = builder_.values(threads_[i]);
      for (const NodeId node : {main, solve, inner, native, label, own}) {
        if ((node.row() + i + static_cast<std::size_t>(rank_)) % 3 == 0) continue;
        values.row(node)[wall_] = (rank_ + 1) * 1'000'003 + node.row() * 17 + number;
        values.row(node)[calls_] = node.row() % 2 == 0 ? -rank_ : rank_ * number;
        values.row(node)[peak_] = 100 + (rank_ * 37 + number) % 50;
      }
    }
    if (rank_ == 1) builder_.values(threads_[0]).row(main)[wall_] = kLargest;
    if (rank_ == 2) builder_.values(threads_[0]).row(solve)[wall_] = -kLargest - 1;
  }

  void add_lines_and_edges() {
    for (std::size_t i = 0; i < threads_.size(); i += 2) {
      const auto number = static_cast<std::int64_t>(i);
      builder_.add_line({threads_[i], wall_, solve_, 21, 5000 + rank_ + number});
      builder_.add_line({threads_[i], calls_, solve_, 22, 1 + number});
      builder_.add_line({threads_[i], peak_, main_, 10, 10 * rank_ + number + 1});
      builder_.add_flat({threads_[i], wall_, FunctionId::none(), print_, 70 + rank_, 90 + number});
      builder_.add_flat({threads_[i], wall_, main_, print_, 0, 80 + rank_});
      builder_.add_flat({threads_[i], peak_, solve_, print_, 3 + number, 0});
    }
  }

  void add_events() {
    Profile& profile = builder_.profile();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      profile.regions.push_back(
          {threads_[i], builder_.string("assemble"), 2000 - number, 10 + rank_, 1, -number});
      profile.regions.push_back({threads_[i], builder_.string("step"), 1000, 500, 0, rank_});
    }
    profile.counters.push_back({process_,
                                builder_.string("rss"),
                                Unit::kBytes,
                                {{1000, 1 << 20}, {2000, 2 << 20}, {1500, rank_}}});
    profile.counters.push_back({process_, builder_.string("quiet"), Unit::kCount, {}});
    profile.messages.push_back({process_, 99, MessageLevel::kWarning, "late \xf0\x9f\x98\x80"});
    profile.messages.push_back({process_, 5, MessageLevel::kInfo, std::string("early\0", 6)});
    profile.sources[builder_.string("/home/wave.py")] = {false, "def main():\n    solve()\n"};
    profile.sources[builder_.string("/home/big.py")] = {false, std::string(50'000, '#') + "\n"};
    profile.sources[builder_.string("/home/hash.py")] = {true, "0123456789abcdef"};
    profile.notes.push_back("records of a newer Pyrometer were left out");
    profile.is_sampled = true;
    profile.paths_are_estimated = rank_ % 2 == 0;
  }

  static constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

  std::int64_t rank_;
  ProfileBuilder builder_;
  ProcessId process_ = ProcessId::none();
  std::vector<ThreadId> threads_;
  MetricId wall_{0}, calls_{0}, peak_{0};
  FunctionId main_{0}, solve_{0}, odd_{0}, print_{0}, native_{0}, label_{0};
};

inline Profile rank_profile(std::int64_t rank, std::uint32_t python_threads = 2) {
  return RankProfile(rank, python_threads).finish();
}

}  // namespace pyrometer::testing
