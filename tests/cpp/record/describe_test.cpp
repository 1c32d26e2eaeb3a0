#include "record/describe.h"

#include <gtest/gtest.h>

#include <set>

#include "record/reader.h"
#include "record/writer.h"

namespace pyrometer {
namespace {

// One record of every type, so that a type added to the format without its description,
// decoder or writer is noticed.
std::string one_of_each() {
  RecordingWriter writer({.host = "node"});
  const auto text = writer.add_string("text");
  writer.add_module(text, "\x01\x02", 0x1000, 0x2000);
  RowWriter lines(line_table_columns());
  lines.row({0, 10, 10, 4, 8});
  lines.row({4, 9, 9, -1, -1});
  writer.add_code({.name = text, .qualified_name = text, .file = text, .first_line = 9}, lines);
  writer.source(text, SourceKind::kText, "x = 1\n");
  writer.thread({.id = 0, .tid = 1, .thread_class = ThreadClass::kPython, .name = text});
  const auto wall = writer.add_metric("wall", Unit::kNanoseconds, Combine::kSum);
  RowWriter nodes(node_columns());
  nodes.row({0, 0, 10, 1});
  writer.nodes(nodes);
  const std::vector<BatchMetric> metrics{{wall, 1000}};
  RowWriter samples(sample_columns(1000, metrics));
  samples.row({5'000'000, 0, 2'000});
  writer.samples(0, 1000, metrics, samples);
  RowWriter edges(checkpoint_columns(CheckpointSubject::kEdge, metrics));
  edges.row({0, 0, 3'000, -4'000});
  writer.checkpoint(6'000'000, 0, CheckpointSubject::kEdge, metrics, edges);
  RowWriter calls(call_columns(1));
  calls.row({1, 0, 2});
  writer.events(RecordType::kCalls, 0, 1, calls);
  RowWriter allocations(allocation_columns(1));
  allocations.row({1, 0, 0, 0x7fff0000, 64, 512});
  writer.events(RecordType::kAllocations, 0, 1, allocations);
  writer.add_wait_object({.kind = WaitKind::kMutex, .name = text, .identity = 5});
  RowWriter waits(wait_columns(1));
  waits.row({1, 0, 0, 7, 0});
  writer.events(RecordType::kWaits, 0, 1, waits);
  RowWriter mpi_calls(mpi_call_columns(1));
  mpi_calls.row({0, 4, 11, 3, 9'000, 3'072, 1'000, 5'000});
  writer.events(RecordType::kMpiCalls, 0, 1, mpi_calls);
  RowWriter live(live_columns());
  live.row({0, 1'048'576});
  writer.live(0, 7'000'000, live);
  RowWriter regions(region_columns(1));
  regions.row({1, text, 9, 0, -1});
  writer.events(RecordType::kRegions, 0, 1, regions);
  writer.events(RecordType::kOpenRegions, 0, 1, regions);
  const auto counter = writer.add_counter(text, Unit::kBytes);
  RowWriter values(counter_columns(1));
  values.row({1, 100});
  writer.events(RecordType::kCounterValues, counter, 1, values);
  writer.message(8, MessageLevel::kWarning, "careful");
  writer.attribute("key", "value");
  writer.end({.time = 9, .reason = EndReason::kExec, .status = 3});
  return writer.take_pending();
}

TEST(Describe, EveryRecordTypeDecodesToItsFieldsAndRows) {
  const std::string bytes = one_of_each();
  auto reader = RecordingReader::from_bytes(bytes).value();
  std::set<std::uint8_t> types;
  std::map<std::string, RecordDescription> by_name;
  while (const auto frame = reader.next_frame()) {
    auto record = decode_record(*frame);
    ASSERT_TRUE(record && *record) << record_type_name(frame->type);
    types.insert(frame->type);
    const RecordDescription description = describe(**record);
    EXPECT_TRUE(description.rows_are_whole) << record_type_name(frame->type);
    by_name[std::string(record_type_name(frame->type))] = description;
  }
  EXPECT_EQ(types.size(),
            static_cast<std::size_t>(RecordType::kOpenRegions) - 1);  // all but bundles
  EXPECT_EQ(reader.end(), RecordingEnd::kComplete);

  using Rows = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(by_name["samples"].rows, (Rows{{5'000'000, 0, 2'000}}));
  EXPECT_EQ(by_name["checkpoint"].rows, (Rows{{0, 0, 3'000, -4'000}}));
  EXPECT_EQ(by_name["code"].rows, (Rows{{0, 10, 10, 4, 8}, {4, 9, 9, -1, -1}}));
  EXPECT_EQ(by_name["allocations"].rows, (Rows{{1, 0, 0, 0x7fff0000, 64, 512}}));
  EXPECT_EQ(by_name["mpi-calls"].rows, (Rows{{0, 4, 11, 3, 9'000, 3'072, 1'000, 5'000}}));
  EXPECT_EQ(by_name["live"].rows, (Rows{{0, 1'048'576}}));
  EXPECT_EQ(std::get<std::int64_t>(by_name["live"].fields[1].second), 7'000'000);
  EXPECT_EQ(by_name["regions"].rows, (Rows{{1, 0, 9, 0, -1}}));
  EXPECT_EQ(by_name["open-regions"].rows, by_name["regions"].rows);
  EXPECT_EQ(std::get<std::string>(by_name["module"].fields[1].second), "0102");
}

TEST(Describe, EveryPayloadCutAnywhereIsRefusedOrShort) {
  const std::string bytes = one_of_each();
  auto reader = RecordingReader::from_bytes(bytes).value();
  while (const auto frame = reader.next_frame()) {
    for (std::size_t cut = 0; cut < frame->payload.size(); ++cut) {
      auto record = decode_record({frame->type, frame->sequence, frame->payload.substr(0, cut)});
      if (record && *record) describe(**record);  // must not read beyond the cut: ASan watches
    }
  }
}

}  // namespace
}  // namespace pyrometer
