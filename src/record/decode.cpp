#include <algorithm>
#include <array>

#include "record/columns.h"
#include "record/records.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMaxScale = 1'000'000'000;

// An enumerator that must be one of the known ones: a later addition is a damaged record here,
// because its meaning is not known.
template <class Enum>
Enum enumerator(ByteReader& in, Enum last) {
  const std::uint8_t value = in.u8();
  if (value > static_cast<std::uint8_t>(last)) in.set_failed();
  return static_cast<Enum>(in.ok() ? value : 0);
}

std::int64_t scale(ByteReader& in) {
  const std::uint64_t value = in.varint();
  if (value == 0 || value > static_cast<std::uint64_t>(kMaxScale)) in.set_failed();
  return in.ok() ? static_cast<std::int64_t>(value) : 1;
}

std::int64_t time(ByteReader& in) { return in.signed_varint(); }

std::vector<BatchMetric> batch_metrics(ByteReader& in) {
  std::vector<BatchMetric> metrics(in.count(2));
  for (BatchMetric& metric : metrics) metric = {in.varint32(), scale(in)};
  return metrics;
}

// Of samples: any but the first may repeat the one before it.
std::vector<BatchMetric> sample_metrics(ByteReader& in) {
  std::vector<BatchMetric> metrics(in.count(2));
  if (metrics.size() > kMaxMetrics) in.set_failed();
  for (std::size_t i = 0; i < metrics.size() && in.ok(); ++i) {
    metrics[i].metric = in.varint32();
    const std::uint64_t value = in.varint();
    if (value > static_cast<std::uint64_t>(kMaxScale) || (value == 0 && i == 0)) in.set_failed();
    metrics[i].scale = static_cast<std::int64_t>(value);
  }
  return metrics;
}

// The rest of a record: a count, then that many rows.
RowReader rows(ByteReader& in, std::vector<Column> columns) {
  const std::uint64_t count = in.count(columns.size());
  return {in.rest(), count, std::move(columns)};
}

StringRecord decode_string(ByteReader& in) { return {in.rest()}; }

ModuleRecord decode_module(ByteReader& in) {
  return {in.varint32(), in.sized_bytes(), in.varint(), in.varint()};
}

CodeRecord decode_code(ByteReader& in) {
  const auto kind = enumerator(in, FunctionKind::kLabel);
  const std::uint32_t name = in.varint32();
  const std::uint32_t qualified_name = in.varint32();
  const std::uint32_t file = in.varint32();
  const std::uint32_t first_line = in.varint32();
  const std::uint32_t first_column = in.varint32();
  return {
      kind, name, qualified_name, file, first_line, first_column, rows(in, line_table_columns())};
}

SourceRecord decode_source(ByteReader& in) {
  return {in.varint32(), enumerator(in, SourceKind::kHash), in.rest()};
}

ThreadRecord decode_thread(ByteReader& in) {
  return {in.varint32(), in.varint(), enumerator(in, ThreadClass::kNative),
          in.varint32(), time(in),    time(in)};
}

MetricRecord decode_metric(ByteReader& in) {
  return {in.sized_bytes(), enumerator(in, Unit::kBytes), enumerator(in, Combine::kMax)};
}

NodesRecord decode_nodes(ByteReader& in) { return {rows(in, node_columns())}; }

SamplesRecord decode_samples(ByteReader& in) {
  const std::uint32_t thread = in.varint32();
  const std::int64_t time_scale = scale(in);
  std::vector<BatchMetric> metrics = sample_metrics(in);
  std::vector<Column> columns = sample_columns(time_scale, metrics);
  const auto takes_room = [](const Column& column) {
    return column.coding != Column::Coding::kSame;
  };
  const std::uint64_t count =
      in.count(static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), takes_room)));
  return {thread, std::move(metrics), count, RowReader(in.rest(), count, std::move(columns))};
}

CheckpointRecord decode_checkpoint(ByteReader& in) {
  const std::int64_t when = time(in);
  const std::uint32_t thread = in.varint32();
  const auto subject = enumerator(in, CheckpointSubject::kEdge);
  std::vector<BatchMetric> metrics = batch_metrics(in);
  RowReader body = rows(in, checkpoint_columns(subject, metrics));
  return {when, thread, subject, std::move(metrics), std::move(body)};
}

// The records of one thread's events: thread, time scale, rows.
template <class EventRecord>
EventRecord decode_events(ByteReader& in, std::vector<Column> (*columns)(std::int64_t)) {
  const std::uint32_t owner = in.varint32();
  const std::int64_t time_scale = scale(in);
  return {owner, rows(in, columns(time_scale))};
}

LiveRecord decode_live(ByteReader& in) {
  const std::uint32_t thread = in.varint32();
  const std::int64_t when = time(in);
  return {thread, when, rows(in, live_columns())};
}

WaitObjectRecord decode_wait_object(ByteReader& in) {
  return {enumerator(in, WaitKind::kOther), in.varint32(), in.varint(), in.varint32()};
}

CounterRecord decode_counter(ByteReader& in) {
  return {in.varint32(), enumerator(in, Unit::kBytes)};
}

MessageRecord decode_message(ByteReader& in) {
  return {time(in), enumerator(in, MessageLevel::kError), in.rest()};
}

AttributeRecord decode_attribute(ByteReader& in) { return {in.sized_bytes(), in.sized_bytes()}; }

EndRecord decode_end(ByteReader& in) {
  return {time(in), enumerator(in, EndReason::kStopped), in.signed_varint()};
}

std::optional<Record> decode_payload(RecordType type, ByteReader& in) {
  switch (type) {
    case RecordType::kString: return decode_string(in);
    case RecordType::kModule: return decode_module(in);
    case RecordType::kCode: return decode_code(in);
    case RecordType::kSource: return decode_source(in);
    case RecordType::kThread: return decode_thread(in);
    case RecordType::kMetric: return decode_metric(in);
    case RecordType::kNodes: return decode_nodes(in);
    case RecordType::kSamples: return decode_samples(in);
    case RecordType::kCheckpoint: return decode_checkpoint(in);
    case RecordType::kCalls: return decode_events<CallsRecord>(in, call_columns);
    case RecordType::kAllocations: return decode_events<AllocationsRecord>(in, allocation_columns);
    case RecordType::kWaitObject: return decode_wait_object(in);
    case RecordType::kWaits: return decode_events<WaitsRecord>(in, wait_columns);
    case RecordType::kRegions: return decode_events<RegionsRecord>(in, region_columns);
    case RecordType::kCounter: return decode_counter(in);
    case RecordType::kCounterValues: return decode_events<CounterValuesRecord>(in, counter_columns);
    case RecordType::kMessage: return decode_message(in);
    case RecordType::kAttribute: return decode_attribute(in);
    case RecordType::kEnd: return decode_end(in);
    case RecordType::kMpiCalls: return decode_events<MpiCallsRecord>(in, mpi_call_columns);
    case RecordType::kLive: return decode_live(in);
    case RecordType::kOpenRegions: return decode_events<OpenRegionsRecord>(in, region_columns);
    case RecordType::kBundle: break;  // the reader takes it apart
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 24> kTypeNames{
    "unknown",     "string", "module",  "code",       "source",         "thread",
    "metric",      "nodes",  "samples", "checkpoint", "calls",          "allocations",
    "wait-object", "waits",  "regions", "counter",    "counter-values", "message",
    "attribute",   "end",    "bundle",  "mpi-calls",  "live",           "open-regions"};

}  // namespace

std::string_view record_type_name(std::uint8_t type) {
  return type < kTypeNames.size() ? kTypeNames[type] : kTypeNames[0];
}

Result<std::optional<Record>> decode_record(const Frame& frame) {
  ByteReader in(frame.payload);
  std::optional<Record> record = decode_payload(static_cast<RecordType>(frame.type), in);
  // Bytes left over are fine: a later version may have appended fields.
  if (!in.ok()) {
    return fail(ErrorCode::kCorrupt, "{} record number {} does not hold what it claims",
                record_type_name(frame.type), frame.sequence);
  }
  return record;
}

}  // namespace pyrometer
