// The values of up to 256 processes, read side by side and given out block by block in the
// order of the merged file. In memory are one piece of each process and one block.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "base/result.h"
#include "merge/parcel.h"
#include "merge/structure_union.h"
#include "store/merged_tables.h"
#include "store/value_block.h"

namespace pyrometer {

struct PanelProcess {
  Spool* spool;
  std::span<const Spool::Piece> pieces;
  const RowMaps* rows;  // from the shard's rows to those of the merged file
};

class Panel {
 public:
  // `tables` must outlive the panel.
  static Result<Panel> open(const MergedTables& tables, std::uint32_t process_block,
                            std::span<const PanelProcess> processes);

  // Nothing after the last block.
  Result<std::optional<ValueBlock>> next_block();

 private:
  // A process at its next item, in the rows of the merged file.
  struct Head {
    explicit Head(const PanelProcess& process)
        : parcel(*process.spool, process.pieces), rows(process.rows) {}
    Result<void> advance();
    bool is_in(const BlockPlace& place) const {
      return !parcel.at_end() && item.subject == place.subject &&
             item.row / kItemsPerBlock == place.item_block;
    }

    ParcelReader parcel;
    const RowMaps* rows;
    ItemRow item;
  };

  Panel(const MergedTables& tables, std::uint32_t process_block)
      : tables_(tables), process_block_(process_block) {}

  const MergedTables& tables_;
  std::uint32_t process_block_;
  std::deque<Head> heads_;
};

}  // namespace pyrometer
