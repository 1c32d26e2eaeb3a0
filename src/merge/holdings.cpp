#include "merge/holdings.h"

#include "base/check.h"
#include "merge/details.h"

namespace pyrometer {
namespace {

constexpr std::uint64_t kMemoryLimit = 64U << 20;  // of what others handed over

// A parcel's items and columns in other rows.
Result<std::vector<std::string>> translated(const HeldProcess& process) {
  Spool memory({}, UINT64_MAX);
  ParcelReader in(*process.spool, process.pieces.values);
  ParcelWriter out(memory);
  PYROMETER_TRY_VOID(in.advance());
  while (!in.at_end()) {
    const ItemRow item = in.item();
    out.begin_item(
        {item.subject, process.rows->items[static_cast<std::size_t>(item.subject)][item.row]});
    in.read_values([&](std::uint32_t column, std::int64_t value) {
      out.value(column_of(process.rows->metrics[metric_of(column)], class_of(column)), value);
    });
    PYROMETER_TRY_VOID(out.end_item());
    PYROMETER_TRY_VOID(in.advance());
  }
  PYROMETER_TRY(const std::vector<Spool::Piece> pieces, out.finish());
  std::vector<std::string> all;
  for (const Spool::Piece& piece : pieces) {
    PYROMETER_TRY(std::string bytes, memory.take(piece));
    all.push_back(std::move(bytes));
  }
  return all;
}

Result<std::string> take(Spool& spool, const Spool::Piece& piece) {
  return piece.size == 0 ? std::string() : spool.take(piece);
}

Result<Spool::Piece> append(Spool& spool, std::string_view bytes) {
  return bytes.empty() ? Spool::Piece() : spool.append(std::string(bytes));
}

}  // namespace

Result<Holdings> Holdings::make(std::span<Shard> shards, const JobPlan& plan, const Team& team) {
  Holdings holdings;
  holdings.plan_ = &plan;
  // Nothing is new in the plan's structure: adding only tells where rows are in it.
  StructureUnion structure;
  PYROMETER_TRY_VOID(structure.add(plan.tables, canonical_order(plan.tables)));
  std::vector<HeldProcess> own;
  for (Shard& shard : shards) {
    PYROMETER_TRY(RowMaps rows, structure.add(shard.tables(), canonical_order(shard.tables())));
    holdings.rows_.push_back(std::move(rows));
    for (ShardProcess& process : shard.processes()) {
      own.push_back({&shard.spool(), std::move(process.pieces), &holdings.rows_.back()});
    }
  }
  holdings.rows_.push_back(identity_rows(plan.tables));
  for (const auto& [member, number] : plan.places) {
    const bool is_own = member == team.member();
    holdings.processes_.push_back(is_own ? std::move(own[number]) : HeldProcess());
  }
  return holdings;
}

Result<std::string> Holdings::hand_over(std::size_t process) {
  const HeldProcess held = std::exchange(processes_[process], {});
  PYROMETER_TRY(const std::vector<std::string> values, translated(held));
  PYROMETER_TRY(const std::string events, take(*held.spool, held.pieces.events));
  PYROMETER_TRY(const std::string packed, take(*held.spool, held.pieces.details));
  const ProcessDetails details = unpack_details(packed, *held.rows);
  ByteWriter out;
  out.varint(process);
  out.varint(values.size());
  for (const std::string& piece : values) out.sized_bytes(piece);
  out.sized_bytes(events);
  out.sized_bytes(pack_details(details, plan_->tables, rows_.back()).bytes);
  return out.take();
}

Result<void> Holdings::take_over(std::string_view message, const Path& output) {
  if (!received_) received_ = std::make_unique<Spool>(output, kMemoryLimit);
  ByteReader in(message);
  HeldProcess& held = processes_[in.varint()];
  held = {received_.get(), {}, &rows_.back()};
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    PYROMETER_TRY(const Spool::Piece piece, append(*received_, in.sized_bytes()));
    held.pieces.values.push_back(piece);
  }
  PYROMETER_TRY(held.pieces.events, append(*received_, in.sized_bytes()));
  PYROMETER_TRY(held.pieces.details, append(*received_, in.sized_bytes()));
  PYROMETER_CHECK(in.done());
  return {};
}

Result<void> exchange(Holdings& holdings, const JobPlan& plan, const Path& output, Team& team) {
  Result<void> result;
  const auto hand_over_to = [&](std::uint32_t to) {
    for (std::size_t i = 0; i < plan.places.size(); ++i) {
      const bool is_ours = plan.places[i].member == team.member();
      if (!result || !is_ours || owner_of(i / kProcessesPerBlock, team) != to) continue;
      const auto message = holdings.hand_over(i);
      if (!message) result = tl::unexpected(message.error());
      if (message) team.send(to, *message);
    }
    team.send(to, "");
  };
  const auto take_over_from = [&](std::uint32_t from) {
    for (std::string message; !(message = team.receive(from)).empty();) {
      if (result) result = holdings.take_over(message, output);
    }
  };
  // In each round everybody has one partner, and the smaller number speaks first.
  for (std::uint32_t round = 0; round < team.size(); ++round) {
    const std::uint32_t partner = (round + team.size() - team.member()) % team.size();
    if (partner == team.member()) continue;
    if (team.member() < partner) hand_over_to(partner);
    take_over_from(partner);
    if (team.member() > partner) hand_over_to(partner);
  }
  return agree(team, result);
}

}  // namespace pyrometer
