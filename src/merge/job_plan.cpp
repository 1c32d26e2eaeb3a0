#include "merge/job_plan.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "merge/wire.h"

namespace pyrometer {
namespace {

struct PlacedFacts {
  ProcessFacts facts;
  ProcessPlace place;
};

// By rank, host, start, pid and source; the rest decides between processes that nothing
// else tells apart. Those equal in everything may stand either way.
auto sort_key(const PlacedFacts& placed) {
  const Process& p = placed.facts.process;
  return std::tuple(std::tie(p.rank, p.host, p.start, p.pid, p.source),
                    std::tie(p.parent_pid, p.world_size, p.duration, p.clock, p.status,
                             p.exit_status, p.trouble, p.attributes, placed.facts.digest));
}

// What a member knows, and what it has heard from others.
struct Knowledge {
  StructureUnion structure;
  std::vector<PlacedFacts> processes;
};

Result<void> add_own(std::span<Shard> shards, std::uint32_t member, Knowledge& into) {
  std::uint32_t number = 0;
  for (Shard& shard : shards) {
    PYROMETER_TRY_VOID(into.structure.add(shard.tables(), canonical_order(shard.tables())));
    for (ShardProcess& process : shard.processes()) {
      into.processes.push_back({std::move(process.facts), {member, number++}});
    }
  }
  return {};
}

std::string encode(const Knowledge& knowledge) {
  ByteWriter out;
  write_tables(out, knowledge.structure.tables());
  out.varint(knowledge.processes.size());
  for (const PlacedFacts& placed : knowledge.processes) {
    write_facts(out, placed.facts);
    out.varint(placed.place.member);
    out.varint(placed.place.number);
  }
  return out.take();
}

Result<void> absorb(std::string_view bytes, Knowledge& into) {
  ByteReader in(bytes);
  const MergedTables tables = read_tables(in);
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    PlacedFacts placed;
    placed.facts = read_facts(in);
    placed.place.member = in.varint32();
    placed.place.number = in.varint32();
    into.processes.push_back(std::move(placed));
  }
  PYROMETER_CHECK(in.done());
  PYROMETER_TRY_VOID(into.structure.add(tables, canonical_order(tables)));
  return {};
}

// Along a binomial tree towards the first member. Whoever fails still receives what is sent to it.
Result<void> unite(Team& team, Result<void> own, Knowledge& knowledge) {
  for (std::uint32_t step = 1; step < team.size(); step *= 2) {
    if (team.member() % (2 * step) == step) {
      team.send(team.member() - step, encode(knowledge));
      break;
    }
    if (team.member() + step >= team.size()) continue;
    const std::string bytes = team.receive(team.member() + step);
    if (own) own = absorb(bytes, knowledge);
  }
  return agree(team, own);
}

void add_process(ProcessFacts facts, Profile& profile) {
  const ProcessId process = ProcessId::from_index(profile.processes.size());
  profile.processes.push_back(std::move(facts.process));
  for (std::size_t i = 0; i < kThreadClasses; ++i) {
    const auto& span = facts.classes[i];
    if (!span) continue;
    const auto thread_class = static_cast<ThreadClass>(i);
    profile.threads.push_back({.process = process,
                               .thread_class = thread_class,
                               .tid = 0,
                               .name = profile.strings.intern(name_of(thread_class)),
                               .start = span->start,
                               .end = span->end});
  }
}

Result<void> check_size(const Profile& profile) {
  const std::size_t most = std::max(profile.nodes.size(), profile.processes.size());
  if (most * (profile.metrics.size() + 1) > kMaxMergedTotals) {
    return fail(ErrorCode::kTooLarge,
                "{} call paths and {} processes with {} metrics are more than one merged file "
                "can hold; merge fewer",
                profile.nodes.size(), profile.processes.size(), profile.metrics.size());
  }
  return {};
}

}  // namespace

Result<JobPlan> agree_on_plan(std::span<Shard> shards, Team& team) {
  Knowledge knowledge;
  Result<void> own = add_own(shards, team.member(), knowledge);
  PYROMETER_TRY_VOID(unite(team, std::move(own), knowledge));
  // The first member puts everything in order, the others hear of it.
  if (team.is_first()) {
    std::sort(knowledge.processes.begin(), knowledge.processes.end(),
              [](const PlacedFacts& a, const PlacedFacts& b) { return sort_key(a) < sort_key(b); });
    Knowledge sorted;
    sorted.processes = std::move(knowledge.processes);
    const SortedTables tables = sort_tables(knowledge.structure.tables());
    PYROMETER_TRY_VOID(sorted.structure.add(tables.tables, canonical_order(tables.tables)));
    knowledge = std::move(sorted);
  }
  if (team.size() > 1) {
    const std::string bytes = broadcast(team, team.is_first() ? encode(knowledge) : std::string());
    if (!team.is_first()) {
      knowledge = {};
      PYROMETER_TRY_VOID(absorb(bytes, knowledge));
    }
  }
  JobPlan plan{std::move(knowledge.structure).take(), {}};
  for (PlacedFacts& placed : knowledge.processes) {
    plan.places.push_back(placed.place);
    add_process(std::move(placed.facts), plan.tables.profile);
  }
  PYROMETER_TRY_VOID(check_size(plan.tables.profile));
  return plan;
}

}  // namespace pyrometer
