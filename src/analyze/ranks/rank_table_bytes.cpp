#include "analyze/ranks/rank_table_bytes.h"

#include "base/compression.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLeastItem = 10;  // bytes
constexpr std::size_t kLeastCell = 3;
constexpr std::size_t kMaxPlainSize = std::size_t{1} << 30;
constexpr std::size_t kMaxRatio = 200;  // of what compression may have saved
constexpr std::size_t kSmall = 1024;    // bytes that need no reason

using Wide = unsigned __int128;

void write_wide(ByteWriter& out, Wide value) {
  out.varint(static_cast<std::uint64_t>(value));
  out.varint(static_cast<std::uint64_t>(value >> 64U));
}

Wide read_wide(ByteReader& in) {
  const Wide low = in.varint();
  return low | (Wide{in.varint()} << 64U);
}

void write_statistics(ByteWriter& out, const AcrossRanks& item) {
  write_wide(out, item.sum);
  write_wide(out, item.squares);
  out.varint(static_cast<std::uint64_t>(item.maximum));
  out.varint(static_cast<std::uint64_t>(item.least));
  out.varint(item.maximum_rank);
  out.varint(item.least_rank);
  out.varint(item.ranks);
  out.signed_varint(item.samples);
  out.signed_varint(item.maximum_samples);
}

AcrossRanks read_statistics(ByteReader& in, std::size_t ranks) {
  AcrossRanks item;
  item.sum = read_wide(in);
  item.squares = read_wide(in);
  item.maximum = static_cast<std::int64_t>(in.varint());
  item.least = static_cast<std::int64_t>(in.varint());
  item.maximum_rank = in.varint32();
  item.least_rank = in.varint32();
  item.ranks = in.varint32();
  item.samples = in.signed_varint();
  item.maximum_samples = in.signed_varint();
  const bool is_right = item.maximum_rank < ranks && item.least_rank < ranks && item.ranks > 0 &&
                        item.ranks <= ranks && item.least > 0 && item.maximum >= item.least &&
                        item.sum > 0 && item.squares > 0;
  if (!is_right) in.set_failed();
  return item;
}

void read_cells(ByteReader& in, RankTable& table, std::size_t ranks) {
  const std::uint64_t count = in.count(kLeastCell);
  table.cells.reserve(count);
  std::uint64_t item = 0;
  std::uint64_t rank = 0;
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::uint32_t step = in.varint32();
    const std::uint32_t rank_step = in.varint32();
    item += step;
    rank = step == 0 ? rank + rank_step : rank_step;
    const auto value = static_cast<std::int64_t>(in.varint());
    if (item >= table.items.size() || rank >= ranks || value < 0) in.set_failed();
    table.cells.push_back(
        {static_cast<std::uint32_t>(item), static_cast<std::uint32_t>(rank), value});
  }
}

}  // namespace

void write_rank_table(ByteWriter& out, const RankTable& table) {
  std::uint64_t count = 0;
  for (const AcrossRanks& item : table.items) count += item.is_empty() ? 0 : 1;
  out.varint(count);
  std::size_t next = 0;
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    if (table.items[i].is_empty()) continue;
    out.varint(i - next);
    next = i + 1;
    write_statistics(out, table.items[i]);
  }
  out.varint(table.cells.size());
  RankCell before;
  for (const RankCell& cell : table.cells) {
    const std::uint32_t step = cell.item - before.item;
    out.varint(step);
    out.varint(step == 0 ? cell.rank - before.rank : cell.rank);
    out.varint(static_cast<std::uint64_t>(cell.value));
    before = cell;
  }
}

void read_rank_table(ByteReader& in, RankTable& table, std::size_t ranks) {
  const std::uint64_t count = in.count(kLeastItem);
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    next += in.varint32();
    if (next >= table.items.size()) return in.set_failed();
    table.items[next++] = read_statistics(in, ranks);
  }
  read_cells(in, table, ranks);
}

std::string write_compressed(std::string_view plain) {
  ByteWriter out;
  out.varint(plain.size());
  out.raw(compress(plain));
  return out.take();
}

Result<std::string> read_compressed(std::string_view bytes) {
  ByteReader in(bytes);
  const std::uint64_t size = in.varint();
  if (!in.ok() || size > kMaxPlainSize || size > in.remaining() * kMaxRatio + kSmall) {
    return fail(ErrorCode::kCorrupt, "the analysis of ranks is damaged");
  }
  return decompress(in.rest(), size);
}

}  // namespace pyrometer
