#include "merge/panel.h"

namespace pyrometer {

Result<Panel> Panel::open(const MergedTables& tables, std::uint32_t process_block,
                          std::span<const PanelProcess> processes) {
  Panel panel(tables, process_block);
  for (const PanelProcess& process : processes) {
    PYROMETER_TRY_VOID(panel.heads_.emplace_back(process).advance());
  }
  return panel;
}

Result<void> Panel::Head::advance() {
  PYROMETER_TRY_VOID(parcel.advance());
  if (parcel.at_end()) return {};
  const ItemRow in_shard = parcel.item();
  item = {in_shard.subject, rows->items[static_cast<std::size_t>(in_shard.subject)][in_shard.row]};
  return {};
}

std::optional<BlockPlace> Panel::next_place() const {
  std::optional<BlockPlace> place;
  const auto consider = [&](Subject subject, std::uint32_t row) {
    const BlockPlace next{process_block_, subject, row / kItemsPerBlock};
    if (!place || next < *place) place = next;
  };
  for (const Head& head : heads_) {
    if (!head.parcel.at_end()) consider(head.item.subject, head.item.row);
    if (!head.waits.empty()) consider(Subject::kNode, head.waits.front().node);
  }
  return place;
}

Result<std::optional<ValueBlock>> Panel::next_block() {
  const std::optional<BlockPlace> place = next_place();
  if (!place) return std::nullopt;
  ValueBlock block(tables_, *place);
  std::uint32_t process = 0;
  for (Head& head : heads_) {
    while (head.is_in(*place)) {
      head.parcel.read_values([&](std::uint32_t column, std::int64_t value) {
        block.set(head.item.row % kItemsPerBlock, process, class_of(column),
                  head.rows->metrics[metric_of(column)], value);
      });
      PYROMETER_TRY_VOID(head.advance());
    }
    for (; head.waits_in(*place); head.waits = head.waits.subspan(1)) {
      const auto& [node, thread_class, value] = head.waits.front();
      block.set(node % kItemsPerBlock, process, thread_class, wait_metric_->row(), value);
    }
    ++process;
  }
  return block;
}

}  // namespace pyrometer
