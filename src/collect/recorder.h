// Turns what the engines saw into records of the recording format: each string, code object,
// module and node is defined once, samples are packed per thread and second. Bounded: beyond
// a stated number of functions or call paths new ones are counted together, and the recording
// says so. Belongs to the session's thread.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/content_id.h"
#include "collect/code_table.h"
#include "collect/copy_totals.h"
#include "collect/metrics.h"
#include "collect/task_table.h"
#include "exact/called_functions.h"
#include "os/loaded_modules.h"
#include "record/writer.h"

namespace pyrometer {

class Recorder {
 public:
  static constexpr std::uint32_t kNoNode = UINT32_MAX;

  explicit Recorder(const RecordingHeader& header);

  void attribute(std::string_view key, std::string_view value) { writer_.attribute(key, value); }
  void message(std::int64_t time, MessageLevel level, std::string_view text) {
    writer_.message(time, level, text);
  }

  // The same id again replaces what was said of the thread.
  struct ThreadFacts {
    int tid = 0;
    ThreadClass thread_class = ThreadClass::kPython;
    std::string name;
    std::int64_t start = 0, end = 0;
  };
  std::uint32_t add_thread(const ThreadFacts& facts);
  void update_thread(std::uint32_t thread, const ThreadFacts& facts);
  // No samples of this thread come after the next take_pending().
  void forget_thread(std::uint32_t thread) { threads_[thread].is_over = true; }

  // Frames of files whose path ends so are left out: they are ours, not the program's.
  void hide_file(std::string ending) { hidden_files_.push_back(std::move(ending)); }

  void define_code(const CodeCopy& code);

  // The text of code that is in no file; left out where nothing was seen in it.
  void source(const std::string& file, std::string_view text);

  // Functions whose calls are counted; the result names one in nodes and totals.
  std::uint32_t define_function(const CalledFunction& function);
  static bool is_hidden(std::uint32_t function) { return function == kHidden; }

  bool knows_code(std::uint32_t code) const;
  // Empty where it is not known, or no function of the program's.
  std::string_view qualified_name(std::uint32_t code) const;

  // Files are kept from now on, so that places can be told before the recording is read.
  void keep_files() { keeps_files_ = true; }
  struct SourcePlace {
    std::string file, function;
    std::uint32_t line = 0;
  };
  // Nothing for frames that are ours, or that nobody defined.
  std::optional<SourcePlace> place_of(std::uint32_t code, std::int32_t instruction) const;

  // Nodes; `parent` kNoNode for a root. A code number nobody defined gives kNoNode.
  std::uint32_t python_node(std::uint32_t parent, std::uint32_t code, std::int32_t instruction);
  std::uint32_t native_node(std::uint32_t parent, const LoadedModule& module,
                            std::uintptr_t program_counter);
  std::uint32_t label_node(std::uint32_t parent, const std::string& label);

  std::uint32_t function_node(std::uint32_t parent, std::uint32_t function);
  std::uint32_t mpi_node(std::uint32_t parent, const std::string& function);

  // Counted calls, in all so far: each row replaces what was said of the same node.
  struct CallTotals {
    std::uint32_t node = 0;
    std::int64_t calls = 0;
    std::int64_t self = 0;  // ns
  };
  void call_totals(std::uint32_t thread, std::int64_t time, const std::vector<CallTotals>& rows);

  // Calls one by one, in the order of their beginnings on the monotonic clock.
  struct Call {
    std::int64_t start = 0, duration = 0;  // ns
    std::uint32_t node = 0;
  };
  void calls(std::uint32_t thread, const std::vector<Call>& calls);

  // The same by function (caller kNoNode), or by function and caller.
  struct FlatTotals {
    std::uint32_t caller = kNoNode, callee = 0;
    std::int64_t calls = 0, primitive_calls = 0;
    std::int64_t self = 0, total = 0;  // ns
  };
  void flat_totals(std::uint32_t thread, std::int64_t time, const std::vector<FlatTotals>& rows);

  // Measured lines, in all so far.
  struct LineTotals {
    std::uint32_t function = 0, line = 0;
    std::int64_t hits = 0, time = 0, self = 0;  // ns
    std::int64_t returns = 0;                   // hits within a statement that had begun
  };
  // Returns bytes, before compression, as the next one.
  std::size_t line_totals(std::int64_t time, const std::vector<LineTotals>& rows);

  // Their memory, in all so far and at the most.
  struct LineMemoryTotals {
    std::uint32_t function = 0, line = 0;
    std::int64_t level = 0, increment = 0, peak = 0, temporary = 0;
    friend bool operator==(const LineMemoryTotals&, const LineMemoryTotals&) = default;
  };
  std::size_t line_memory(std::int64_t time, const std::vector<LineMemoryTotals>& rows);

  // MPI calls of one site, in all so far.
  struct MpiCallTotals {
    std::uint32_t node = 0, communicator = 0, size_class = 0;
    std::int64_t calls = 0, time = 0, bytes = 0, quickest = 0, slowest = 0;  // times in ns
  };
  void mpi_calls(std::uint32_t thread, const std::vector<MpiCallTotals>& rows);

  // Named regions of the program that ended; rows are where they are drawn.
  struct RegionSpan {
    std::string_view name;
    std::int64_t start = 0, duration = 0;  // ns
    std::uint32_t row = 0;
    std::uint32_t opener = CodeTable::kUnknown;  // the code inside which it began
  };
  void regions(std::uint32_t thread, std::vector<RegionSpan> spans);
  // Those that are open now, with their durations so far; replaces what was said before.
  void open_regions(std::uint32_t thread, std::vector<RegionSpan> spans);

  // Tasks of asyncio at nodes, in all so far; all threads together, as thread 0.
  void task_totals(std::int64_t time,
                   const std::vector<std::pair<std::uint32_t, TaskTable::Values>>& rows);

  // Memory that a node made, in all so far; bytes but for the numbers of blocks.
  struct MemoryTotals {
    std::int64_t allocated = 0, allocations = 0, live = 0, live_blocks = 0, peak = 0;
    std::int64_t temporary = 0, untouched = 0;
    std::int64_t allocated_numpy = 0, live_numpy = 0, peak_numpy = 0;
    std::int64_t allocated_native = 0, live_native = 0, peak_native = 0;
    friend bool operator==(const MemoryTotals&, const MemoryTotals&) = default;
  };
  // Returns bytes, before compression, as the next one.
  std::size_t memory_totals(std::uint32_t thread, std::int64_t time,
                            const std::vector<std::pair<std::uint32_t, MemoryTotals>>& rows);

  // Likewise, what nodes copied: bytes and how often.
  std::size_t copy_totals(std::uint32_t thread, std::int64_t time,
                          const std::vector<std::pair<std::uint32_t, CopyTotals>>& rows);

  // What nodes hold at this time, where that changed.
  struct LiveBytes {
    std::uint32_t node = 0;
    std::int64_t bytes = 0;
  };
  std::size_t live_bytes(std::uint32_t thread, std::int64_t time,
                         const std::vector<LiveBytes>& rows);

  // Of the process.
  struct MemoryPoint {
    std::int64_t time = 0, resident = 0, heap = 0;
  };
  void memory_points(const std::vector<MemoryPoint>& points);

  // `mpi_cpu` is CPU time inside MPI, which is not among the CPU time of the values.
  void sample(std::uint32_t thread, std::int64_t time, std::uint32_t node, const TimeValues& values,
              std::int64_t mpi_cpu = 0);

  // Spreads time in which the thread waited for a core over its samples since the last
  // take_pending(); false when there are none. Who waits for a core inside MPI waits in MPI.
  bool spread_runnable(std::uint32_t thread, std::int64_t time);

  // Times and values are recorded as multiples of this many ns.
  void set_resolution(std::int64_t resolution) { resolution_ = resolution; }

  void end(const EndRecord& end) { writer_.end(end); }

  // Everything since the last time, as one piece.
  std::string take_pending();

 private:
  struct Row {
    std::int64_t time = 0;
    std::uint32_t node = 0;
    TimeValues values;
    std::int64_t mpi_cpu = 0;
    std::int64_t cpu() const { return values[TimeKind::kCpu] + mpi_cpu; }
  };
  struct ThreadRows {
    std::vector<Row> rows;
    bool is_over = false;
    TimeValues carried;  // what rounding to the resolution left over
  };
  struct Code {
    std::uint32_t first_line = 0;
    std::string line_table;
    std::string qualified_name;
    std::string file;  // where these are kept

    // Of an instruction by its number.
    std::uint32_t line_at(std::int32_t number) const;
  };
  using NodeKey = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  std::uint32_t string(std::string_view text);
  std::uint32_t metric(std::size_t kind);
  std::uint32_t node(std::uint32_t parent, std::uint64_t target, std::uint64_t position,
                     std::uint64_t instruction);
  void write_rows(std::uint32_t thread, ThreadRows& rows);
  void write_regions(RecordType type, std::uint32_t thread, std::vector<RegionSpan> spans);
  std::uint32_t label_code(const std::string& label);
  void write_new_nodes();
  std::uint32_t calls_metric();
  std::uint32_t primitive_calls_metric();
  std::uint32_t extra_metric(std::uint32_t& number, const char* name, Unit unit);
  void warn_once(bool& warned, std::string_view sentence);

  // In the place of records: of a hidden file, of what runs a notebook's cells, and of magics.
  static constexpr std::uint32_t kHidden = UINT32_MAX - 1, kRunsCells = UINT32_MAX - 2,
                                 kIsMagic = UINT32_MAX - 3;

  RecordingWriter writer_;
  bool is_hidden_file(const std::string& path) const;

  std::vector<std::string> hidden_files_;
  bool keeps_files_ = false;
  std::int64_t resolution_ = 100'000;
  boost::unordered_flat_map<std::string, std::uint32_t> strings_;
  std::map<ContentId, std::uint32_t> code_records_;                // by content
  std::map<ContentId, std::uint32_t> functions_;                   // likewise, of counted calls
  std::vector<std::uint32_t> records_of_codes_;                    // by number of the CodeTable
  boost::unordered_flat_map<std::uint32_t, Code> codes_;           // by record
  boost::unordered_flat_map<std::string, std::uint32_t> modules_;  // by path
  boost::unordered_flat_map<std::string, std::uint32_t> labels_;
  boost::unordered_flat_map<std::string, std::uint32_t> mpi_functions_;
  boost::unordered_flat_map<NodeKey, std::uint32_t> nodes_;
  RowWriter new_nodes_;
  std::map<std::uint32_t, ThreadRows> threads_;
  std::uint32_t next_thread_ = 0;
  std::array<std::uint32_t, kTimeKinds> metrics_{};
  std::uint32_t calls_metric_ = UINT32_MAX, primitive_calls_metric_ = UINT32_MAX;
  std::uint32_t hits_metric_ = UINT32_MAX, line_time_metric_ = UINT32_MAX,
                line_self_metric_ = UINT32_MAX, line_returns_metric_ = UINT32_MAX;
  std::vector<BatchMetric> memory_metrics_, copy_metrics_, line_memory_metrics_, task_metrics_;
  std::uint32_t resident_counter_ = UINT32_MAX, heap_counter_ = UINT32_MAX;
  bool warned_of_codes_ = false, warned_of_nodes_ = false;
};

}  // namespace pyrometer
