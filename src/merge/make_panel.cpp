// make_panel: from what is held of its processes to what is written of a panel.
#include <algorithm>
#include <deque>
#include <future>

#include "merge/panel.h"
#include "merge/panel_parts.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

// The values of one process over its threads, still to be read again.
Result<ThreadCells> cells_of(const PanelProcess& process, const Profile& job) {
  ThreadCells cells(job.metrics.size());
  const auto add = [&](std::uint32_t node, std::uint32_t metric, std::int64_t value) {
    std::vector<Cell>& list = cells[metric];
    if (list.empty() || list.back().node.row() != node) list.push_back({NodeId(node), 0});
    list.back().value = combined(job.metrics[metric].combine, list.back().value, value);
  };
  ParcelReader parcel(*process.spool, process.pieces, ParcelReader::Reading::kAgainLater);
  PYROMETER_TRY_VOID(parcel.advance());
  while (!parcel.at_end()) {
    const ItemRow item = parcel.item();
    const bool is_node = item.subject == Subject::kNode;
    parcel.read_values([&](std::uint32_t column, std::int64_t value) {
      if (!is_node) return;
      add(process.rows->items[0][item.row], process.rows->metrics[metric_of(column)], value);
    });
    PYROMETER_TRY_VOID(parcel.advance());
  }
  if (const auto wait = job.find_metric(metric::kMpiWait)) {
    for (const WaitCell& cell : process.waits) add(cell.node, wait->row(), cell.value);
  }
  for (std::vector<Cell>& list : cells) {
    std::erase_if(list, [](const Cell& cell) { return cell.value == 0; });
  }
  return cells;
}

// Blocks are encoded on all cores while the next ones are read, and go on in their order.
Result<void> add_blocks(Panel& panel, unsigned workers, PanelSink& sink) {
  std::deque<std::future<EncodedBlock>> encoding;
  const auto add_next = [&]() -> Result<void> {
    const EncodedBlock block = encoding.front().get();
    encoding.pop_front();
    return sink.add(block);
  };
  while (true) {
    PYROMETER_TRY(std::optional<ValueBlock> block, panel.next_block());
    if (!block) break;
    if (workers == 1) {
      PYROMETER_TRY_VOID(sink.add(block->encode()));
      continue;
    }
    if (encoding.size() == workers) PYROMETER_TRY_VOID(add_next());
    encoding.push_back(
        std::async(std::launch::async, [moved = *std::move(block)] { return moved.encode(); }));
  }
  while (!encoding.empty()) PYROMETER_TRY_VOID(add_next());
  return {};
}

QuickestMpiCalls quickest_calls(const MergedTables& tables) {
  QuickestMpiCalls quickest;
  for (const QuickestCall& call : tables.quickest_calls) {
    MpiCalls like;
    like.communicator = call.communicator;
    like.size_class = call.size_class;
    like.quickest = call.time;
    quickest.add(call.function, like);
  }
  return quickest;
}

}  // namespace

Result<void> make_panel(Holdings& holdings, const JobPlan& plan, std::uint32_t process_block,
                        MergeAnalyses analyses, unsigned workers, PanelSink& sink) {
  const Profile& job = plan.tables.profile;
  const std::size_t first = std::size_t{process_block} * kProcessesPerBlock;
  const std::size_t count = rows_in_block(job.processes.size(), process_block, kProcessesPerBlock);
  const QuickestMpiCalls quickest = quickest_calls(plan.tables);
  std::vector<ProcessDetails> details;
  std::vector<PanelProcess> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    const HeldProcess& held = holdings[first + i];
    std::string packed;
    if (held.pieces.details.size != 0) {
      PYROMETER_TRY(packed, held.spool->take(held.pieces.details));
    }
    details.push_back(unpack_details(packed, *held.rows));
    inputs.push_back(
        {held.spool, held.pieces.values, held.rows, waits_of(details.back(), job, quickest)});
    if (analyses.empty()) continue;
    PYROMETER_TRY(const ThreadCells cells, cells_of(inputs.back(), job));
    for (MergeAnalysis* analysis : analyses) {
      analysis->add(ProcessId::from_index(first + i), cells);
    }
  }
  PYROMETER_TRY(Panel panel, Panel::open(plan.tables, process_block, inputs));
  PYROMETER_TRY_VOID(add_blocks(panel, workers, sink));
  for (std::size_t i = 0; i < count; ++i) {
    const HeldProcess& held = holdings[first + i];
    std::string events;
    if (held.pieces.events.size != 0) {
      PYROMETER_TRY(events, held.spool->take(held.pieces.events));
    }
    PYROMETER_TRY_VOID(sink.add(ProcessId::from_index(first + i), events, details[i]));
  }
  return {};
}

}  // namespace pyrometer
