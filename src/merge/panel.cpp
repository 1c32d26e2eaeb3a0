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

Result<std::optional<ValueBlock>> Panel::next_block() {
  std::optional<BlockPlace> place;
  for (const Head& head : heads_) {
    if (head.parcel.at_end()) continue;
    const BlockPlace next{process_block_, head.item.subject, head.item.row / kItemsPerBlock};
    if (!place || next < *place) place = next;
  }
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
    ++process;
  }
  return block;
}

}  // namespace pyrometer
