// What members tell each other about processes and their values.
#include "merge/wire.h"

namespace pyrometer {
namespace {

void write_statistics(ByteWriter& out, const ItemStatistics& statistics) {
  out.varint(statistics.process_count);
  out.varint(statistics.non_zero);
  out.signed_varint(statistics.total);
  out.varint(static_cast<std::uint64_t>(statistics.sum_of_squares >> 64));
  out.varint(static_cast<std::uint64_t>(statistics.sum_of_squares));
  out.signed_varint(statistics.minimum);
  out.signed_varint(statistics.maximum);
  out.varint(statistics.minimum_process);
  out.varint(statistics.maximum_process);
}

ItemStatistics read_statistics(ByteReader& in) {
  ItemStatistics statistics;
  statistics.process_count = in.varint32();
  statistics.non_zero = in.varint32();
  statistics.total = in.signed_varint();
  statistics.sum_of_squares = in.varint();
  statistics.sum_of_squares = statistics.sum_of_squares << 64 | in.varint();
  statistics.minimum = in.signed_varint();
  statistics.maximum = in.signed_varint();
  statistics.minimum_process = in.varint32();
  statistics.maximum_process = in.varint32();
  return statistics;
}

}  // namespace

void write_facts(ByteWriter& out, const ProcessFacts& facts) {
  const Process& process = facts.process;
  for (const std::int64_t number :
       {process.rank, process.world_size, process.start, process.duration, process.clock}) {
    out.signed_varint(number);
  }
  out.varint(process.pid);
  out.varint(process.parent_pid);
  out.u8(static_cast<std::uint8_t>(process.status));
  out.u8(process.exit_status ? 1 : 0);
  out.signed_varint(process.exit_status.value_or(0));
  for (const std::string& text : {process.host, process.trouble, process.source}) {
    out.sized_bytes(text);
  }
  out.varint(process.attributes.size());
  for (const auto& [key, value] : process.attributes) {
    out.sized_bytes(key);
    out.sized_bytes(value);
  }
  for (const auto& span : facts.classes) {
    out.u8(span ? 1 : 0);
    out.signed_varint(span ? span->start : 0);
    out.signed_varint(span ? span->end : 0);
  }
  out.u64(facts.digest);
}

ProcessFacts read_facts(ByteReader& in) {
  ProcessFacts facts;
  Process& process = facts.process;
  for (std::int64_t* number :
       {&process.rank, &process.world_size, &process.start, &process.duration, &process.clock}) {
    *number = in.signed_varint();
  }
  process.pid = in.varint();
  process.parent_pid = in.varint();
  process.status = static_cast<ProcessStatus>(in.u8());
  const bool has_status = in.u8() != 0;
  const std::int64_t status = in.signed_varint();
  if (has_status) process.exit_status = status;
  for (std::string* text : {&process.host, &process.trouble, &process.source}) {
    *text = in.sized_bytes();
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const std::string_view key = in.sized_bytes();
    process.attributes.emplace_back(key, in.sized_bytes());
  }
  for (auto& span : facts.classes) {
    const bool is_there = in.u8() != 0;
    const std::int64_t start = in.signed_varint();
    const std::int64_t end = in.signed_varint();
    if (is_there) span = ClassSpan{start, end};
  }
  facts.digest = in.u64();
  return facts;
}

void write_block(ByteWriter& out, const EncodedBlock& block) {
  out.varint(block.place.process_block);
  out.u8(static_cast<std::uint8_t>(block.place.subject));
  out.varint(block.place.item_block);
  out.varint(block.tiles.size());
  for (const auto& [metric, thread_class, tile] : block.tiles) {
    out.varint(metric);
    out.u8(static_cast<std::uint8_t>(thread_class));
    out.signed_varint(tile.scale);
    out.varint(tile.planes);
    out.sized_bytes(tile.data);
  }
  out.varint(block.statistics.size());
  for (const auto& [item, metric, statistics] : block.statistics) {
    out.varint(item);
    out.varint(metric);
    write_statistics(out, statistics);
  }
  out.varint(block.process_totals.size());
  for (const std::int64_t total : block.process_totals) out.signed_varint(total);
}

EncodedBlock read_block(ByteReader& in) {
  EncodedBlock block;
  block.place.process_block = in.varint32();
  block.place.subject = static_cast<Subject>(in.u8());
  block.place.item_block = in.varint32();
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    EncodedBlock::PlacedTile placed;
    placed.metric = in.varint32();
    placed.thread_class = static_cast<ThreadClass>(in.u8());
    placed.tile.scale = in.signed_varint();
    placed.tile.planes = in.varint32();
    placed.tile.data = in.sized_bytes();
    block.tiles.push_back(std::move(placed));
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const std::uint32_t item = in.varint32();
    const std::uint32_t metric = in.varint32();
    block.statistics.push_back({item, metric, read_statistics(in)});
  }
  block.process_totals.resize(in.varint());
  for (std::int64_t& total : block.process_totals) total = in.signed_varint();
  return block;
}

}  // namespace pyrometer
