// What is allocated between two moments, block by block, whatever the recording samples: what of it
// was live when most of it was, and what still is. Blocks from before do not count, also when
// they go. The recording's own figures know nothing of this. Its owner sees to it that only one
// thread at a time is here.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "collect/block_table.h"
#include "collect/mapping_table.h"

namespace pyrometer {

class AllocationWindow {
 public:
  // Of one site of the ledger.
  struct Place {
    std::uint32_t site = 0;
    std::int64_t at_peak = 0, live = 0;  // bytes
    std::int64_t live_blocks = 0;
  };

  void block_came(const void* block, std::size_t size, std::uint32_t site);
  void block_goes(const void* block);
  void mapping_came(const void* begin, std::size_t size, std::uint32_t site);
  void mapping_goes(const void* range, std::size_t size);

  std::int64_t peak() const { return peak_; }
  // Those that held something at the peak, or still do.
  std::vector<Place> places() const;

 private:
  struct Held {
    std::int64_t live = 0, live_blocks = 0;
    std::int64_t at_peak = 0;       // what was live then, if ...
    std::uint32_t peak_number = 0;  // ... this is the last peak; else what is live now
  };

  void change(std::uint32_t site, std::int64_t bytes, std::int64_t blocks);

  BlockTable blocks_{false};
  MappingTable mappings_;
  boost::unordered_flat_map<std::uint32_t, Held> held_;  // by site
  std::int64_t live_ = 0, peak_ = 0;
  std::uint32_t peak_number_ = 0;
};

}  // namespace pyrometer
