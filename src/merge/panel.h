// The values of up to 256 processes, read side by side and given out block by block in the
// order of the merged file. In memory are one piece of each process and one block.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "merge/details.h"
#include "merge/parcel.h"
#include "merge/structure_union.h"
#include "store/merged_tables.h"
#include "store/value_block.h"

namespace pyrometer {

struct PanelProcess {
  Spool* spool;
  std::span<const Spool::Piece> pieces;
  const RowMaps* rows;          // from those of the pieces to those of the merged file
  std::vector<WaitCell> waits;  // in the rows of the merged file; the pieces have none
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
        : parcel(*process.spool, process.pieces), rows(process.rows), waits(process.waits) {}
    Result<void> advance();
    bool is_in(const BlockPlace& place) const {
      return !parcel.at_end() && item.subject == place.subject &&
             item.row / kItemsPerBlock == place.item_block;
    }
    bool waits_in(const BlockPlace& place) const {
      return !waits.empty() && place.subject == Subject::kNode &&
             waits.front().node / kItemsPerBlock == place.item_block;
    }

    ParcelReader parcel;
    const RowMaps* rows;
    ItemRow item;
    std::span<const WaitCell> waits;  // that are still to come
  };

  Panel(const MergedTables& tables, std::uint32_t process_block)
      : tables_(tables),
        process_block_(process_block),
        wait_metric_(tables.profile.find_metric(metric::kMpiWait)) {}
  std::optional<BlockPlace> next_place() const;

  const MergedTables& tables_;
  std::uint32_t process_block_;
  std::optional<MetricId> wait_metric_;
  std::deque<Head> heads_;
};

}  // namespace pyrometer
