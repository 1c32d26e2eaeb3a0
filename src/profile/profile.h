// Everything that was measured: a calling-context tree x process x thread x metric, with
// line tables, samples in time, regions and metadata. Functions, callers, callees, lines
// and other views are derived from it (analyze/), never stored twice.
//
// Invariants: a node's parent has a smaller row; values are self values (of the position
// itself, without what it calls); ids equal across processes, runs and machines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/content_id.h"
#include "base/kinds.h"
#include "profile/ids.h"
#include "profile/sample_track.h"

namespace pyrometer {

struct Module {
  StringId path;
  std::string build_id;
};

struct Function {
  FunctionKind kind = FunctionKind::kPython;
  StringId name;
  StringId qualified_name;
  StringId file;        // as the program knew it
  StringId short_file;  // relative to the module search path: equal on every machine
  std::uint32_t first_line = 0;
  std::uint32_t first_column = 0;  // column + 1; 0: unknown
  ModuleId module;                 // of native code
  std::uint64_t offset = 0;        // in the module, until symbolised
  ContentId id;
};

// A position in the program as reached along one path of calls.
struct Node {
  NodeId parent;
  FunctionId function;
  std::uint32_t line = 0;  // 0: unknown
  ContentId id;
};

struct Process {
  std::int64_t rank = -1;  // -1: none
  std::int64_t world_size = 0;
  std::string host;
  std::uint64_t pid = 0;
  std::uint64_t parent_pid = 0;
  std::int64_t start = 0;     // ns since 1970
  std::int64_t duration = 0;  // ns
  std::int64_t clock = 0;     // its monotonic clock at `start`, in ns; 0: times count from there
  ProcessStatus status = ProcessStatus::kFinished;
  std::optional<std::int64_t> exit_status;
  std::string trouble;  // what is wrong with a damaged recording
  std::string source;   // the file it was loaded from
  std::vector<std::pair<std::string, std::string>> attributes;
};

struct Thread {
  ProcessId process;
  ThreadClass thread_class = ThreadClass::kMain;
  std::uint64_t tid = 0;  // 0 in merged files, where a "thread" is a class of threads
  StringId name;
  std::int64_t start = 0;  // ns, the process's monotonic clock
  std::int64_t end = 0;    // 0: unknown
};

struct Cell {
  NodeId node;
  std::int64_t value = 0;
};

// Exact values of source lines, where an engine measured lines and not positions.
struct LineValue {
  ThreadId thread;
  MetricId metric;
  FunctionId function;
  std::uint32_t line = 0;
  std::int64_t value = 0;
};

// Totals of a function (caller none) or of a call edge, where the source has no call paths
// or folded them: pstats files, bounded exact traces.
struct FlatValue {
  ThreadId thread;
  MetricId metric;
  FunctionId caller;  // none: the function itself
  FunctionId callee;
  std::int64_t self = 0;
  std::int64_t total = 0;
};

// MPI calls of one thread from one place, with communicators of one size and about the same
// number of bytes each.
struct MpiCalls {
  ThreadId thread;
  NodeId node;                     // the MPI function, called from its parent's line
  std::uint32_t communicator = 0;  // its size; 0: the call has none
  std::uint32_t size_class = 0;    // bit length of the bytes of one call
  std::int64_t calls = 0;
  std::int64_t time = 0;      // ns, of all
  std::int64_t bytes = 0;     // of all
  std::int64_t quickest = 0;  // ns, of one
  std::int64_t slowest = 0;
};

// Calls one by one, in the order of their beginnings.
struct CallTrack {
  struct Call {
    std::int64_t start = 0;  // ns, the process's monotonic clock
    std::int64_t duration = 0;
    NodeId node;
  };
  ThreadId thread;
  std::vector<Call> calls;
};

struct Region {
  ThreadId thread;
  StringId name;
  std::int64_t start = 0;  // ns, the process's monotonic clock
  std::int64_t duration = 0;
  std::uint32_t depth = 0;
  std::int64_t value = 0;
  FunctionId opener = FunctionId::none();  // inside which it began; none: unknown
};

struct CounterSeries {
  ProcessId process;
  StringId name;
  Unit unit = Unit::kCount;
  std::vector<std::pair<std::int64_t, std::int64_t>> points;  // time in ns, value
};

// Live bytes that a thread allocated at one position; each point holds until the next one. A thread
// and position may have several tracks, which add up.
struct LiveTrack {
  ThreadId thread;
  NodeId node;
  std::vector<std::pair<std::int64_t, std::int64_t>> points;  // time in ns, bytes
};

struct Message {
  ProcessId process;
  std::int64_t time = 0;
  MessageLevel level = MessageLevel::kInfo;
  std::string text;
};

// The text of a source file as it ran, or its content id when only that was kept.
struct SourceText {
  bool is_hash = false;
  std::string content;
};

// Values of one thread: per metric, cells sorted by node, without zeros.
using ThreadCells = std::vector<std::vector<Cell>>;

struct Profile {
  StringTable strings;
  std::vector<Metric> metrics;
  std::vector<Module> modules;
  std::vector<Function> functions;
  std::vector<Node> nodes;
  std::vector<Process> processes;
  std::vector<Thread> threads;

  // By metric, then by node: the value over all threads and processes.
  std::vector<std::vector<std::int64_t>> node_totals;
  // By thread, then by metric. Empty when only the summary of a merged file was read.
  std::vector<ThreadCells> thread_cells;
  // By process, then by metric: the value over all nodes and threads.
  std::vector<std::vector<std::int64_t>> process_totals;

  std::vector<LineValue> line_values;
  std::vector<FlatValue> flat_values;
  std::vector<MpiCalls>
      mpi_calls;  // also values of nodes: mpi-time, mpi-wait, mpi-calls, mpi-bytes
  std::vector<SampleTrack> samples;
  std::vector<CallTrack> calls;
  std::vector<Region> regions;
  std::vector<CounterSeries> counters;
  std::vector<LiveTrack> live_tracks;
  std::vector<Message> messages;
  std::map<StringId, SourceText> sources;  // by file

  std::vector<std::string> notes;  // what a reader should know: files skipped, things left out

  // What a summary does not hold although the file does.
  bool leaves_out_regions = false;
  bool leaves_out_counters = false;
  bool leaves_out_samples = false;

  bool paths_are_estimated = false;  // call paths were inferred from call edges
  bool is_sampled = false;           // values are estimates with sampling noise

  std::optional<MetricId> find_metric(std::string_view name) const;
  std::string_view text(StringId id) const { return strings[id]; }
  const Function& function_of(NodeId node) const {
    return functions[nodes[node.row()].function.row()];
  }
};

}  // namespace pyrometer
