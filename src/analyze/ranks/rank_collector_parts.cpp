// What a collector has got so far, as bytes: where several programs merge a job, each sees a part.
#include "analyze/ranks/rank_collector.h"
#include "analyze/ranks/rank_table_bytes.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLeastCell = 2;  // bytes

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kCorrupt, "a part of the analysis of ranks arrived damaged; merge again");
}

void write_cells(ByteWriter& out, const std::vector<Cell>& cells) {
  out.varint(cells.size());
  for (const Cell& cell : cells) {
    out.varint(cell.node.row());
    out.signed_varint(cell.value);
  }
}

std::vector<Cell> read_cells(ByteReader& in, std::size_t nodes) {
  std::vector<Cell> cells(in.count(kLeastCell));
  for (Cell& cell : cells) {
    cell.node = NodeId(in.varint32());
    cell.value = in.signed_varint();
    if (cell.node.row() >= nodes) in.set_failed();
  }
  return cells;
}

}  // namespace

std::string RankCollector::partial() const {
  RankFacts facts = facts_;
  for (RankTable& table : facts.tables) sort_cells(table);
  ByteWriter plain;
  plain.sized_bytes(write_rank_facts(facts));
  plain.varint(pending_.size());
  for (const auto& [rank, pending] : pending_) {
    plain.varint(rank);
    plain.varint(pending.processes);
    for (const std::vector<Cell>& cells : pending.cells) write_cells(plain, cells);
  }
  return plain.take();
}

Result<void> RankCollector::absorb(std::string_view partial) {
  ByteReader in(partial);
  const auto facts = read_rank_facts(structure_, in.sized_bytes());
  if (!facts) return damaged();
  std::map<std::uint32_t, Pending> more;
  const std::uint64_t count = in.count(2 + kWanted);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    Pending& pending = more[in.varint32()];
    pending.processes = in.varint32();
    for (std::vector<Cell>& cells : pending.cells) {
      cells = read_cells(in, structure_.nodes.size());
    }
  }
  if (!in.done() || (!more.empty() && more.rbegin()->first >= facts_.ranks())) return damaged();
  add_tables(*facts);
  for (auto& [rank, pending] : more) add_pending(rank, std::move(pending));
  return {};
}

}  // namespace pyrometer
