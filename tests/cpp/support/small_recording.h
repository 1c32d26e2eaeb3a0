// A small recording with a known answer, built record by record.
#pragma once

#include <string>
#include <vector>

#include "record/writer.h"

namespace pyrometer::testing {

// main:10 calls solve:20, which runs lines 21 and 22; solve:22 calls itself once and then
// a position in native code. 3 samples at solve:21, 1 at the inner solve:21, 2 in libm.
struct SmallRecording {
  static constexpr std::int64_t kStart = 1'000'000'000;
  static constexpr std::int64_t kTick = 1'000'000;  // 1 ms of wall time per sample

  RecordingWriter writer{{.rank = 3,
                          .world_size = 4,
                          .pid = 42,
                          .parent_pid = 1,
                          .monotonic = kStart,
                          .realtime = 1'700'000'000'000'000'000,
                          .host = "node07",
                          .launch = "test:1"}};
  std::uint32_t wall = 0;
  std::uint32_t samples = 0;
  enum Node : std::int64_t { kMain, kSolve21, kSolve22, kInner21, kLibm };

  void definitions() {
    writer.attribute("sys.path", "/home/user/project");
    wall = writer.add_metric("wall", Unit::kNanoseconds, Combine::kSum);
    samples = writer.add_metric("samples", Unit::kCount, Combine::kSum);
    const auto main_name = writer.add_string("main");
    const auto solve_name = writer.add_string("solve");
    const auto solve_qualified = writer.add_string("Solver.solve");
    const auto file = writer.add_string("/home/user/project/wave.py");
    const auto library = writer.add_string("/usr/lib/libm.so.6");
    writer.add_code(
        {.name = main_name, .qualified_name = main_name, .file = file, .first_line = 9});
    writer.add_code(
        {.name = solve_name, .qualified_name = solve_qualified, .file = file, .first_line = 20});
    writer.add_module(library, "\xab\xcd", 0x1000, 0x8000);
    writer.thread({.id = 0,
                   .tid = 42,
                   .thread_class = ThreadClass::kMain,
                   .name = main_name,
                   .start = kStart});
    RowWriter rows(node_columns());
    rows.row({0, 0, 10, 0});                // main:10
    rows.row({kMain + 1, 2, 21, 0});        // solve:21
    rows.row({kMain + 1, 2, 22, 0});        // solve:22
    rows.row({kSolve22 + 1, 2, 21, 0});     // solve:22 -> solve:21
    rows.row({kInner21 + 1, 1, 0x123, 0});  // libm+0x123
    writer.nodes(rows);
  }

  std::vector<BatchMetric> metrics() const { return {{wall, 1000}}; }

  void sample_batch(const std::vector<std::int64_t>& nodes) {
    RowWriter rows(sample_columns(1000, metrics()));
    for (const std::int64_t node : nodes) {
      time_ += kTick;
      rows.row({time_, node, kTick});
    }
    writer.samples(0, 1000, metrics(), rows);
  }

  void end() { writer.end({.time = time_, .reason = EndReason::kExit, .status = 0}); }

  std::string whole() {
    definitions();
    sample_batch({kSolve21, kSolve21, kInner21});
    sample_batch({kLibm, kSolve21, kLibm});
    end();
    return writer.take_pending();
  }

  std::int64_t time() const { return time_; }

 private:
  std::int64_t time_ = kStart;
};

}  // namespace pyrometer::testing
