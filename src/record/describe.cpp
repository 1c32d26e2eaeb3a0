#include "record/describe.h"

#include <fmt/format.h>

namespace pyrometer {
namespace {

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

// One overload per record type.
class Describer {
 public:
  RecordDescription description;

  void operator()(const StringRecord& r) { text("text", r.text); }
  void operator()(const ModuleRecord& r) {
    number("path", r.path);
    text("build_id", hex(r.build_id));
    number("load_base", r.load_base);
    number("size", r.size);
  }
  void operator()(CodeRecord& r) {
    text("kind", name_of(r.kind));
    number("name", r.name);
    number("qualified_name", r.qualified_name);
    number("file", r.file);
    number("first_line", r.first_line);
    number("first_column", r.first_column);
    rows(r.line_table);
  }
  void operator()(const SourceRecord& r) {
    number("file", r.file);
    const bool is_hash = r.kind == SourceKind::kHash;
    text(is_hash ? "hash" : "text", is_hash ? hex(r.content) : std::string(r.content));
  }
  void operator()(const ThreadRecord& r) {
    number("id", r.id);
    number("tid", r.tid);
    text("class", name_of(r.thread_class));
    number("name", r.name);
    number("start", r.start);
    number("end", r.end);
  }
  void operator()(const MetricRecord& r) {
    text("name", r.name);
    text("unit", name_of(r.unit));
    text("combine", name_of(r.combine));
  }
  void operator()(NodesRecord& r) { rows(r.rows); }
  void operator()(SamplesRecord& r) {
    number("thread", r.thread);
    metrics(r.metrics);
    rows(r.rows);
  }
  void operator()(CheckpointRecord& r) {
    number("time", r.time);
    number("thread", r.thread);
    constexpr std::string_view kSubjects[] = {"node", "line", "function", "edge"};
    text("subject", kSubjects[static_cast<std::size_t>(r.subject)]);
    metrics(r.metrics);
    rows(r.rows);
  }
  void operator()(CallsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(AllocationsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(const WaitObjectRecord& r) {
    number("kind", static_cast<std::uint64_t>(r.kind));
    number("name", r.name);
    number("identity", r.identity);
    number("made_at", r.made_at);
  }
  void operator()(WaitsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(MpiCallsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(LiveRecord& r) {
    number("thread", r.thread);
    number("time", r.time);
    rows(r.rows);
  }
  void operator()(RegionsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(OpenRegionsRecord& r) { events("thread", r.thread, r.rows); }
  void operator()(const CounterRecord& r) {
    number("name", r.name);
    text("unit", name_of(r.unit));
  }
  void operator()(CounterValuesRecord& r) { events("counter", r.counter, r.rows); }
  void operator()(const MessageRecord& r) {
    number("time", r.time);
    text("level", name_of(r.level));
    text("text", r.text);
  }
  void operator()(const AttributeRecord& r) {
    text("key", r.key);
    text("value", r.value);
  }
  void operator()(const EndRecord& r) {
    number("time", r.time);
    constexpr std::string_view kReasons[] = {"exit", "exec", "stopped"};
    text("reason", kReasons[static_cast<std::size_t>(r.reason)]);
    number("status", r.status);
  }

 private:
  void number(std::string_view name, std::int64_t value) {
    description.fields.emplace_back(name, value);
  }
  void number(std::string_view name, std::uint64_t value) {
    description.fields.emplace_back(name, value);
  }
  void number(std::string_view name, std::uint32_t value) {
    description.fields.emplace_back(name, std::uint64_t{value});
  }
  void text(std::string_view name, std::string_view value) {
    description.fields.emplace_back(name, std::string(value));
  }
  void metrics(const std::vector<BatchMetric>& batch) {
    std::string words;
    for (const BatchMetric& metric : batch) {
      words += fmt::format("{}{}", words.empty() ? "" : ",", metric.metric);
      if (metric.scale != 1) words += fmt::format("*{}", metric.scale);
    }
    text("metrics", words);
  }
  void rows(RowReader& reader) {
    for (const Column& column : reader.columns()) description.columns.push_back(column.name);
    while (reader.next()) {
      description.rows.emplace_back(reader.values().begin(), reader.values().end());
    }
    description.rows_are_whole = reader.ok();
  }
  void events(std::string_view owner_name, std::uint32_t owner, RowReader& reader) {
    number(owner_name, owner);
    rows(reader);
  }
};

}  // namespace

RecordDescription describe(Record& record) {
  Describer describer;
  std::visit(describer, record);
  return std::move(describer.description);
}

}  // namespace pyrometer
