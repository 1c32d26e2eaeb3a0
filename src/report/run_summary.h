// What `pyrometer run` says when the program has ended: about ten lines that answer "where
// did the time go", what it cost to know, and what to type next. A pure function of the
// profile; times are shares of the wall time of all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/overview.h"

namespace pyrometer {

// The most bytes that there were, over all processes; 0: unknown.
struct RunMemory {
  std::int64_t heap = 0;
  std::int64_t resident = 0;
  bool has_owners = false;  // whether it is known who allocated
  std::vector<std::string> sentences = {};
};

struct RunSummary {
  // A kind of time. All percentages together are 100.
  struct Share {
    std::string_view id;     // "gil-wait"
    std::string_view words;  // "waiting for the GIL"
    std::int64_t value = 0;
    int percent = 0;
  };
  // A Python function whose own lines keep the CPU busy, native code called from them included.
  struct HotSpot {
    FunctionId id;
    std::string function;
    std::string place;
    double share = 0;
    double share_with_waiting = 0;
    std::uint32_t line = 0;  // the hottest; 0: unknown
    double line_share = 0;
    std::string source;  // of that line
  };
  struct Row {
    FunctionKind kind = FunctionKind::kPython;
    std::string function;
    std::string place;        // of Python code
    std::string called_from;  // of everything else: the line it was mostly reached from
    std::int64_t self = 0;
    std::int64_t total = 0;
    std::int64_t calls = 0;  // where they were counted
  };

  std::int64_t wall = 0;    // ns, from the first process's start to the last one's end
  std::int64_t paused = 0;  // of it, in the process that was longest
  std::int64_t cpu = 0;     // ns, all threads
  std::vector<Share> shares;
  std::size_t processes = 0;
  std::size_t threads = 0;
  std::size_t ranks = 0;                    // 0: none of a launch
  std::vector<std::int64_t> idle_ranks;     // that use under a fifth of the busiest rank's CPU time
  std::vector<std::string> rank_sentences;  // what ranks wait for, and what is uneven
  std::vector<HotSpot> hot_spots;
  std::vector<Row> rows;
  std::int64_t calls = 0;                   // 0: not counted
  std::optional<std::string> lines_wanted;  // what was named; empty: the program's own
  std::size_t line_functions = 0;           // whose lines were measured
  std::int64_t line_hits = 0;
  std::int64_t samples = 0;
  std::int64_t rejected = 0;
  std::int64_t lost = 0;
  std::int64_t lowest_rate = 0;  // Hz; 0: unknown
  std::int64_t highest_rate = 0;
  std::optional<double> cost;         // our share of the CPU time
  std::vector<std::string> warnings;  // about the recording, in words
  std::optional<RunMemory> memory = {};
};

RunSummary summarize_run(const Overview& overview);
// Its part about ranks.
void add_ranks(RunSummary& summary, const Overview& overview);
// Its part about memory, where that was recorded.
void add_memory(RunSummary& summary, const Overview& overview);

// What the run left behind.
struct RunTraces {
  std::string directory;
  std::vector<std::string> files;  // derived from it
};

std::string run_summary_text(const RunSummary& summary, const RunTraces& traces, bool use_color);

// How the program ended, for machines; and what recorded processes complained about.
struct RunEnd {
  int status = 0;
  int signal = 0;  // 0: none
  std::vector<std::string> notices;
};

// docs/run.schema.json describes it. Without a summary nothing was recorded.
std::string run_summary_json(const std::optional<RunSummary>& summary, const RunTraces& traces,
                             const RunEnd& end);

}  // namespace pyrometer
