// What a recording says, one struct per record type. Ids are the running number of
// a record among those of its type, except where a field says otherwise, so no file
// can claim a table larger than itself. decode_record is the only decoder: loading
// and `pyrometer dump` both go through it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/kinds.h"
#include "base/result.h"
#include "record/format.h"
#include "record/rows.h"

namespace pyrometer {

// Views point into the frame they were decoded from.

struct StringRecord {
  std::string_view text;  // any bytes; usually UTF-8
};

struct ModuleRecord {
  std::uint32_t path = 0;  // string
  std::string_view build_id;
  std::uint64_t load_base = 0;
  std::uint64_t size = 0;
};

struct CodeRecord {
  FunctionKind kind = FunctionKind::kPython;
  std::uint32_t name = 0;  // strings
  std::uint32_t qualified_name = 0;
  std::uint32_t file = 0;
  std::uint32_t first_line = 0;
  std::uint32_t first_column = 0;  // column + 1: tells two lambdas on one line apart; 0: unknown
  RowReader line_table;            // instruction, line, end_line, column, end_column
};

enum class SourceKind : std::uint8_t { kText = 0, kHash = 1 };

struct SourceRecord {
  std::uint32_t file = 0;  // string
  SourceKind kind = SourceKind::kText;
  std::string_view content;  // the text, or its 16-byte content id
};

// The same id may come again with a later name or end; the last one counts.
struct ThreadRecord {
  std::uint32_t id = 0;
  std::uint64_t tid = 0;
  ThreadClass thread_class = ThreadClass::kMain;
  std::uint32_t name = 0;  // string
  std::int64_t start = 0;  // ns, monotonic clock; as every time in a recording
  std::int64_t end = 0;    // 0: still running
};

struct MetricRecord {
  std::string_view name;
  Unit unit = Unit::kCount;
  Combine combine = Combine::kSum;
};

// Columns: parent + 1 (0 for a root), code * 2 or module * 2 + 1, line or offset,
// instruction + 1 (0 when unknown). A node's parent comes before it.
struct NodesRecord {
  RowReader rows;
};

// A metric of a batch and the unit its values are multiples of.
struct BatchMetric {
  // In samples: no column, but in each row the value of the metric before it.
  static constexpr std::int64_t kSameAsBefore = 0;

  std::uint32_t metric = 0;
  std::int64_t scale = 1;
};

// Columns: time, node, one value per metric. One row is one sample; rows are in time order.
struct SamplesRecord {
  std::uint32_t thread = 0;
  std::vector<BatchMetric> metrics;
  std::uint64_t count = 0;
  RowReader rows;
};

enum class CheckpointSubject : std::uint8_t {
  kNode = 0,      // keys: node
  kLine = 1,      // keys: code, line
  kFunction = 2,  // keys: code; each metric as self and total
  kEdge = 3,      // keys: caller code, callee code; each metric as self and total
};

// Cumulative values as of this record. An entry replaces the one before it for the same
// thread, key and metric, and stands for all earlier samples of its thread and metrics.
struct CheckpointRecord {
  std::int64_t time = 0;
  std::uint32_t thread = 0;
  CheckpointSubject subject = CheckpointSubject::kNode;
  std::vector<BatchMetric> metrics;
  RowReader rows;

  std::size_t key_columns() const {
    return subject == CheckpointSubject::kLine || subject == CheckpointSubject::kEdge ? 2 : 1;
  }
};

struct CallsRecord {  // columns: start, node, duration
  std::uint32_t thread = 0;
  RowReader rows;
};

struct AllocationsRecord {  // columns: time, node, kind, address, size, weight
  std::uint32_t thread = 0;
  RowReader rows;
};

struct WaitObjectRecord {
  WaitKind kind = WaitKind::kOther;
  std::uint32_t name = 0;      // string
  std::uint64_t identity = 0;  // address, descriptor or communicator
  std::uint32_t made_at = 0;   // node + 1, 0: unknown
};

struct WaitsRecord {  // columns: start, node, wait object, duration, bytes
  std::uint32_t thread = 0;
  RowReader rows;
};

// Columns: node, communicator (its size), size class, calls, time, bytes, quickest, slowest. As
// of this record: a row replaces the one before it for the same thread and first three columns.
struct MpiCallsRecord {
  std::uint32_t thread = 0;
  RowReader rows;
};

// Columns: node, bytes. What of the memory a thread allocated was live at a moment: a row replaces
// the one before it for the same thread and node, nodes that are not named are unchanged.
struct LiveRecord {
  std::uint32_t thread = 0;
  std::int64_t time = 0;
  RowReader rows;
};

struct RegionsRecord {  // columns: start, name (string), duration, depth, opener (code + 1)
  std::uint32_t thread = 0;
  RowReader rows;
};

// What was open when this was written, with the same columns; durations are up to then. It replaces
// the one before it of the same thread.
struct OpenRegionsRecord {
  std::uint32_t thread = 0;
  RowReader rows;
};

struct CounterRecord {
  std::uint32_t name = 0;  // string
  Unit unit = Unit::kCount;
};

struct CounterValuesRecord {  // columns: time, value
  std::uint32_t counter = 0;
  RowReader rows;
};

struct MessageRecord {
  std::int64_t time = 0;
  MessageLevel level = MessageLevel::kInfo;
  std::string_view text;
};

struct AttributeRecord {
  std::string_view key;
  std::string_view value;
};

enum class EndReason : std::uint8_t { kExit = 0, kExec = 1, kStopped = 2 };

struct EndRecord {
  std::int64_t time = 0;
  EndReason reason = EndReason::kExit;
  std::int64_t status = 0;  // exit status when known
};

using Record = std::variant<StringRecord, ModuleRecord, CodeRecord, SourceRecord, ThreadRecord,
                            MetricRecord, NodesRecord, SamplesRecord, CheckpointRecord, CallsRecord,
                            AllocationsRecord, WaitObjectRecord, WaitsRecord, RegionsRecord,
                            CounterRecord, CounterValuesRecord, MessageRecord, AttributeRecord,
                            EndRecord, MpiCallsRecord, LiveRecord, OpenRegionsRecord>;

// One frame as it stands in the file, decompressed and with its checksum verified.
struct Frame {
  std::uint8_t type = 0;
  std::uint32_t sequence = 0;
  std::string_view payload;
};

// The record in a frame; nothing for a type this version does not know.
Result<std::optional<Record>> decode_record(const Frame& frame);

std::string_view record_type_name(std::uint8_t type);

}  // namespace pyrometer
