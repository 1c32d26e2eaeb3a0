// Packs the values of one file's processes into parcels: rows become those of the shard's
// union, items come in canonical order, threads of a class are combined.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "merge/canonical_order.h"
#include "merge/parcel.h"
#include "merge/spool.h"
#include "merge/structure_union.h"

namespace pyrometer {

class Packer {
 public:
  // `file` are the tables of the file, `rows` tells where they went in `shard`. All of them
  // must outlive the packer.
  Packer(const MergedTables& file, const CanonicalOrder& order, const RowMaps& rows,
         const MergedTables& shard);

  // A value in the rows of the file, in any order; several of one class are combined.
  void add(std::size_t process, Subject subject, std::size_t item, std::uint32_t metric,
           ThreadClass thread_class, std::int64_t value);

  struct Packed {
    std::vector<Spool::Piece> pieces;
    std::uint64_t digest = 0;  // equal for equal values, whatever the rows
  };
  // All that was added for the process, which is forgotten by that.
  Result<Packed> pack(std::size_t process, Spool& spool);

 private:
  // `order` sorts by subject, place in canonical order and column.
  struct Entry {
    std::uint64_t order;
    std::int64_t value;
  };
  void sort(std::vector<Entry>& entries) const;
  void combine_threads(std::vector<Entry>& entries) const;

  const MergedTables& shard_;
  std::vector<std::uint32_t> metrics_;         // from the file's rows to the shard's
  std::vector<std::uint64_t> metric_digests_;  // by the shard's rows
  // By subject: places by the file's rows; and by place, the shard's rows and a digest.
  std::array<std::vector<std::uint32_t>, kSubjects> places_;
  std::array<std::vector<std::uint32_t>, kSubjects> rows_;
  std::array<std::vector<std::uint64_t>, kSubjects> digests_;
  std::vector<std::vector<Entry>> entries_;  // by process
};

}  // namespace pyrometer
