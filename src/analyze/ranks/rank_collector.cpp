#include "analyze/ranks/rank_collector.h"

#include <algorithm>
#include <utility>

#include "analyze/ranks/useful_time.h"
#include "profile/mpi_values.h"

namespace pyrometer {
namespace {

// MPI calls are counted and timed one by one, calls and bytes are exact.
bool is_sampled(const Profile& profile, const Metric& metric) {
  return profile.is_sampled && metric.unit == Unit::kNanoseconds &&
         !is_derived_of_mpi_calls(metric.name);
}

}  // namespace

RankCollector::RankCollector(const Profile& structure, std::optional<MetricId> metric)
    : structure_(structure),
      facts_(make_empty_facts(structure)),
      nodes_(structure.nodes.size()),
      functions_(structure.functions.size()),
      lines_(facts_.items.lines.size()),
      sites_(facts_.items.sites.size()) {
  const UsefulTime useful = find_useful_time(structure);
  wanted_ = {useful.time,
             useful.without,
             structure.find_metric(metric::kSamples),
             structure.find_metric(metric::kMpiTime),
             structure.find_metric(metric::kMpiWait),
             structure.find_metric(metric::kMpiCalls),
             structure.find_metric(metric::kMpiBytes)};
  if (!metric) return;
  const Metric& chosen = structure.metrics[metric->row()];
  facts_.metric = {chosen.name, chosen.unit, metric, is_sampled(structure, chosen)};
  wanted_[kTime] = metric;
  wanted_[kWithout] = std::nullopt;
}

std::vector<MetricId> RankCollector::metrics() const {
  std::vector<MetricId> metrics;
  for (const auto& wanted : wanted_) {
    if (wanted) metrics.push_back(*wanted);
  }
  return metrics;
}

void RankCollector::add(ProcessId process, std::span<const ThreadCells* const> threads) {
  const std::uint32_t rank = facts_.list.of_process[process.row()];
  if (rank == RankList::kNoRank) return;
  const bool is_whole = facts_.list.ranks[rank].processes == 1;
  Cells cells;
  Pending pending{.processes = 1, .cells = {}};
  for (const ThreadCells* thread : threads) {
    for (std::size_t i = 0; i < kWanted; ++i) {
      if (!wanted_[i] || wanted_[i]->row() >= thread->size()) continue;
      const std::vector<Cell>& of_metric = (*thread)[wanted_[i]->row()];
      if (is_whole) {
        cells[i].emplace_back(of_metric);
      } else {
        pending.cells[i].insert(pending.cells[i].end(), of_metric.begin(), of_metric.end());
      }
    }
  }
  is_whole ? add_rank(rank, cells) : add_pending(rank, std::move(pending));
}

void RankCollector::add_pending(std::uint32_t rank, Pending&& pending) {
  Pending& all = pending_[rank];
  all.processes += pending.processes;
  for (std::size_t i = 0; i < kWanted; ++i) {
    all.cells[i].insert(all.cells[i].end(), pending.cells[i].begin(), pending.cells[i].end());
  }
  if (all.processes < facts_.list.ranks[rank].processes) return;
  Cells cells;
  for (std::size_t i = 0; i < kWanted; ++i) cells[i] = {all.cells[i]};
  add_rank(rank, cells);
  pending_.erase(rank);
}

void RankCollector::add_rank(std::uint32_t rank, const Cells& cells) {
  for (const auto& thread : cells[kTime]) {
    for (const Cell& cell : thread) nodes_.values[cell.node.row()] += cell.value;
  }
  for (const auto& thread : cells[kWithout]) {
    for (const Cell& cell : thread) nodes_.values[cell.node.row()] -= cell.value;
  }
  for (const auto& thread : cells[kSamples]) {
    for (const Cell& cell : thread) {
      // Samples of waiting say nothing about useful time.
      std::int64_t& samples = nodes_.samples[cell.node.row()];
      if (nodes_.values[cell.node.row()] > 0) samples += cell.value;
    }
  }
  spread_over_lines();
  std::int64_t useful = 0;
  for (const std::int64_t value : lines_.values) useful += std::max<std::int64_t>(0, value);
  for (std::size_t i = 0; i < lines_.values.size(); ++i) {
    const std::size_t function = facts_.items.lines[i].function.row();
    functions_.values[function] += lines_.values[i];
    functions_.samples[function] += lines_.samples[i];
  }
  take(rank, RankSubject::kLine, lines_, useful);
  take(rank, RankSubject::kOwn, functions_, useful);
  spread_over_functions();
  take(rank, RankSubject::kTotal, functions_, useful);
  add_mpi(rank, cells);
}

void RankCollector::spread_over_lines() {
  for (std::size_t i = 0; i < nodes_.values.size(); ++i) {
    const std::uint32_t line = facts_.items.line_of_node[i];
    lines_.values[line] += nodes_.values[i];
    lines_.samples[line] += nodes_.samples[i];
  }
}

// Also clears the nodes.
void RankCollector::spread_over_functions() {
  // Children come after their parents, so what is below a node is complete when it is reached.
  for (std::size_t i = nodes_.values.size(); i-- > 0;) {
    const Node& node = structure_.nodes[i];
    const std::int64_t value = std::exchange(nodes_.values[i], 0);
    const std::int64_t samples = std::exchange(nodes_.samples[i], 0);
    if (facts_.items.is_outermost[i]) {
      functions_.values[node.function.row()] += value;
      functions_.samples[node.function.row()] += samples;
    }
    if (node.parent.is_none()) continue;
    nodes_.values[node.parent.row()] += value;
    nodes_.samples[node.parent.row()] += samples;
  }
}

void RankCollector::add_mpi(std::uint32_t rank, const Cells& cells) {
  const auto for_each = [&](Wanted wanted, auto&& visit) {
    for (const auto& thread : cells[wanted]) {
      for (const Cell& cell : thread) {
        const std::uint32_t site = facts_.items.site_of_node[cell.node.row()];
        if (site != RankItems::kNone) visit(site, cell.value);
      }
    }
  };
  std::int64_t whole = 0;
  for_each(kMpiTime, [&](std::uint32_t site, std::int64_t value) {
    sites_.values[site] += value;
    whole += std::max<std::int64_t>(0, value);
  });
  take(rank, RankSubject::kMpiTime, sites_, whole);
  for_each(kMpiWait, [&](std::uint32_t site, std::int64_t value) { sites_.values[site] += value; });
  take(rank, RankSubject::kMpiWait, sites_, whole);
  for_each(kMpiCalls,
           [&](std::uint32_t site, std::int64_t value) { facts_.site_calls[site] += value; });
  for_each(kMpiBytes,
           [&](std::uint32_t site, std::int64_t value) { facts_.site_bytes[site] += value; });
}

void RankCollector::take(std::uint32_t rank, RankSubject subject, Sums& sums, std::int64_t whole) {
  RankTable& table = facts_.tables[static_cast<std::size_t>(subject)];
  std::vector<RankCell> weighty;
  for (std::size_t i = 0; i < sums.values.size(); ++i) {
    const std::int64_t value = std::exchange(sums.values[i], 0);
    const std::int64_t samples = std::exchange(sums.samples[i], 0);
    if (value <= 0) continue;
    table.items[i].add(rank, value, samples);
    if (value >= whole / kWeighs) weighty.push_back({static_cast<std::uint32_t>(i), rank, value});
  }
  if (weighty.size() > kMostCells) {
    const auto end = weighty.begin() + static_cast<std::ptrdiff_t>(kMostCells);
    std::nth_element(weighty.begin(), end, weighty.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value > b.value : a.item < b.item;
    });
    weighty.erase(end, weighty.end());
  }
  table.cells.insert(table.cells.end(), weighty.begin(), weighty.end());
}

void RankCollector::add_tables(const RankFacts& other) {
  for (std::size_t i = 0; i < kRankSubjects; ++i) {
    RankTable& table = facts_.tables[i];
    const RankTable& more = other.tables[i];
    for (std::size_t k = 0; k < table.items.size(); ++k) table.items[k].add(more.items[k]);
    table.cells.insert(table.cells.end(), more.cells.begin(), more.cells.end());
  }
  for (std::size_t i = 0; i < facts_.site_calls.size(); ++i) {
    facts_.site_calls[i] += other.site_calls[i];
    facts_.site_bytes[i] += other.site_bytes[i];
  }
}

void RankCollector::combine(RankCollector&& other) {
  add_tables(other.facts_);
  for (auto& [rank, pending] : other.pending_) add_pending(rank, std::move(pending));
  other.pending_.clear();
}

RankFacts RankCollector::finish() {
  for (RankTable& table : facts_.tables) sort_cells(table);
  return std::move(facts_);
}

}  // namespace pyrometer
