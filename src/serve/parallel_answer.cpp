// The ranks of a parallel job: what the time of each went into, the lines that call MPI and for
// whom they wait, and the functions that are spread unevenly.
#include "analyze/ranks/communicators.h"
#include "analyze/ranks/efficiency.h"
#include "analyze/ranks/idle_ranks.h"
#include "analyze/ranks/imbalance.h"
#include "analyze/ranks/mpi_waits.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/row_columns.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostRows = 2000;  // of calls and of functions; the rest weighs nothing

void write_ranks(ColumnsWriter& out, const RankList& list, const IdleRanks& idle) {
  const auto& ranks = list.ranks;
  add_column<std::int32_t>(out, "rank.number", ranks, [](const JobRank& r) { return r.number; });
  add_column<std::uint32_t>(out, "rank.process", ranks,
                            [](const JobRank& r) { return r.process.row(); });
  add_column<std::uint32_t>(out, "rank.host", ranks, [](const JobRank& r) { return r.host; });
  add_column<double>(out, "rank.wall", ranks, [](const JobRank& r) { return r.wall; });
  add_column<double>(out, "rank.useful", ranks, [](const JobRank& r) { return r.useful; });
  add_column<double>(out, "rank.mpi", ranks, [](const JobRank& r) { return r.mpi; });
  add_column<double>(out, "rank.wait", ranks, [](const JobRank& r) { return r.mpi_wait; });
  add_column<double>(out, "rank.io", ranks, [](const JobRank& r) { return r.io; });
  add_column<double>(out, "rank.runnable", ranks, [](const JobRank& r) { return r.runnable; });
  add_column<double>(out, "rank.samples", ranks, [](const JobRank& r) { return r.samples; });
  std::vector<std::uint8_t> is_idle(ranks.size());
  for (const std::uint32_t rank : idle.ranks) is_idle[rank] = 1;
  out.add("rank.idle", std::span<const std::uint8_t>(is_idle));
}

void write_calls(ColumnsWriter& out, const RankFacts& facts, const std::vector<MpiSiteCost>& calls,
                 const Communicators& communicators) {
  const auto site = [&](const MpiSiteCost& cost) { return facts.items.sites[cost.site]; };
  using Cost = const MpiSiteCost&;
  add_column<std::uint32_t>(out, "call.function", calls,
                            [&](Cost c) { return row_or_none(site(c).caller.function); });
  add_column<std::uint32_t>(out, "call.line", calls, [&](Cost c) { return site(c).caller.line; });
  add_column<std::uint32_t>(out, "call.mpi", calls, [&](Cost c) { return site(c).call.row(); });
  add_column<std::uint32_t>(out, "call.smallest", calls,
                            [&](Cost c) { return communicators.smallest[c.site]; });
  add_column<std::uint32_t>(out, "call.largest", calls,
                            [&](Cost c) { return communicators.largest[c.site]; });
  add_column<double>(out, "call.calls", calls, [](Cost c) { return c.calls; });
  add_column<double>(out, "call.bytes", calls, [](Cost c) { return c.bytes; });
  add_column<double>(out, "call.time", calls, [](Cost c) { return c.time; });
  add_column<double>(out, "call.wait", calls, [](Cost c) { return c.wait; });
  add_column<double>(out, "call.share", calls, [](Cost c) { return c.share; });
  const auto culprit = [&](Cost c) { return facts.items.lines[c.culprit->line]; };
  add_column<std::uint32_t>(out, "culprit.rank", calls,
                            [](Cost c) { return c.culprit ? c.culprit->rank : kNoRow; });
  add_column<std::uint32_t>(out, "culprit.function", calls, [&](Cost c) {
    return c.culprit ? row_or_none(culprit(c).function) : kNoRow;
  });
  add_column<std::uint32_t>(out, "culprit.line", calls,
                            [&](Cost c) { return c.culprit ? culprit(c).line : 0; });
  add_column<double>(out, "culprit.excess", calls,
                     [](Cost c) { return c.culprit ? c.culprit->excess : 0; });
}

void write_imbalances(ColumnsWriter& out, const RankFacts& facts,
                      const std::vector<Imbalance>& functions) {
  using Row = const Imbalance&;
  add_column<std::uint32_t>(out, "uneven.function", functions, [](Row r) { return r.item; });
  add_column<double>(out, "uneven.mean", functions, [](Row r) { return r.mean; });
  add_column<double>(out, "uneven.deviation", functions, [](Row r) { return r.deviation; });
  add_column<double>(out, "uneven.minimum", functions, [](Row r) { return r.minimum; });
  add_column<double>(out, "uneven.maximum", functions, [](Row r) { return r.maximum; });
  add_column<std::uint32_t>(out, "uneven.lowest", functions, [](Row r) { return r.minimum_rank; });
  add_column<std::uint32_t>(out, "uneven.highest", functions, [](Row r) { return r.maximum_rank; });
  add_column<double>(out, "uneven.factor", functions, [](Row r) { return r.factor; });
  add_column<double>(out, "uneven.cost", functions, [](Row r) { return r.cost; });
  add_column<double>(out, "uneven.share", functions, [](Row r) { return r.share; });
  add_column<std::uint8_t>(out, "uneven.certain", functions, [](Row r) { return r.is_certain; });
  add_column<std::uint8_t>(out, "uneven.matters", functions,
                           [&](Row r) { return is_worth_saying(facts, r); });
}

void write_efficiency(JsonWriter& json, const Efficiency& efficiency) {
  const auto write = [&](std::string_view name, double value) {
    json.key(name);
    efficiency.withheld.empty() ? json.value(value) : json.null();
  };
  json.key("efficiency").begin_object().member("withheld", efficiency.withheld);
  write("parallel", efficiency.parallel);
  write("load_balance", efficiency.load_balance);
  write("communication", efficiency.communication);
  json.end_object();
}

std::string make_meta(const RankFacts& facts, const IdleRanks& idle, std::size_t calls_left_out,
                      std::size_t functions_left_out) {
  const RankList& list = facts.list;
  JsonWriter json;
  json.begin_object().member("world_size", list.world_size);
  json.member("job_time", static_cast<double>(list.job_time()));
  json.member("sampled", list.is_sampled);
  json.key("hosts").begin_array();
  for (const RankHost& host : list.hosts) {
    json.begin_object().member("name", printable(host.name)).member("ranks", host.ranks);
    json.member("cores", host.cores).end_object();
  }
  json.end_array();
  write_efficiency(json, find_efficiency(list));
  json.member("idle_core_hours", idle.core_hours);
  json.member("calls_left_out", calls_left_out).member("functions_left_out", functions_left_out);
  json.end_object();
  return json.take();
}

// Keeps the first rows; gives how many it has dropped.
template <class Rows>
std::size_t cut(Rows& rows) {
  if (rows.size() <= kMostRows) return 0;
  const std::size_t dropped = rows.size() - kMostRows;
  rows.erase(rows.begin() + kMostRows, rows.end());
  return dropped;
}

}  // namespace

Result<Answer> answer_parallel(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const RankFacts* facts, viewed.rank_facts());
  const IdleRanks idle = find_idle_ranks(facts->list);
  std::vector<MpiSiteCost> calls = find_mpi_sites(*facts);
  std::vector<Imbalance> functions = find_imbalances(*facts, RankSubject::kTotal);
  const std::string meta = make_meta(*facts, idle, cut(calls), cut(functions));
  ColumnsWriter out(request.is_packed);
  write_ranks(out, facts->list, idle);
  write_calls(out, *facts, calls, Communicators(facts->items, viewed.summary().mpi_calls));
  write_imbalances(out, *facts, functions);
  return Answer{out.take(meta), kBinaryType};
}

}  // namespace pyrometer
