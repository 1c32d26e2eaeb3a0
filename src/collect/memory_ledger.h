// Who holds which memory: blocks and mappings that were told of, by the site that made them, and
// what each site held when the heap was largest. Threads of the program write here under one lock,
// a few hundred times a second unless every block is told of.
#pragma once

#include <array>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "collect/block_filter.h"
#include "collect/block_table.h"
#include "collect/mapping_table.h"
#include "os/memory_table.h"

namespace pyrometer {

// Where memory was made: by which thread, at which node of its tree, through whom.
struct LedgerSiteKey {
  std::uint32_t thread = 0, node = 0;
  std::uintptr_t caller = 0;  // of malloc; 0: one of Python's objects
  friend bool operator==(const LedgerSiteKey&, const LedgerSiteKey&) = default;
  friend std::size_t hash_value(const LedgerSiteKey& key);
};

// Bytes, but for the numbers of blocks. Samples stand for many, so these are estimates then.
struct LedgerSite {
  LedgerSiteKey key;
  std::int64_t allocated = 0, live = 0, temporary = 0;
  double allocations = 0, live_blocks = 0;

  std::int64_t at_peak = 0;       // what was live then, if ...
  std::uint32_t peak_number = 0;  // ... this is the last peak; else what is live now
};

class MemoryLedger {
 public:
  // Which blocks and objects stand for others that were not told of. Big ones never do.
  struct Sampling {
    double bytes = 0;  // on average, between samples
    bool of_blocks = true, of_objects = true;
  };
  struct BigBlock {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint32_t site = 0;
  };
  static constexpr std::int64_t kShortLife = 100'000'000;  // ns
  // The site of mappings made in a pause: no figures, but their end is known.
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  // The filters tell the library before malloc which blocks and objects may be here.
  MemoryLedger(std::uint8_t* block_filter, std::uint8_t* object_filter, Sampling sampling);

  std::uint32_t find_site(const LedgerSiteKey& key);
  LedgerSiteKey key_of(std::uint32_t site);
  // `now` may be a little old.
  void block_came(const void* block, std::size_t size, std::uint32_t site, std::int64_t now);
  void block_goes(const void* block, std::int64_t now);
  void mapping_came(const void* begin, std::size_t size, std::uint32_t site, std::int64_t now);
  // Bytes of that range that were here.
  std::int64_t mapping_goes(const void* range, std::size_t size, std::int64_t now);
  void heap_peak(std::int64_t heap, std::int64_t now);
  // The library tells of the end of every block, also of those that are not here.
  void hear_of_every_end(bool does);
  // The program is over: what the interpreter frees and makes from now on was live at its end.
  void freeze() { is_frozen_.store(true, std::memory_order_release); }
  bool is_frozen() const { return is_frozen_.load(std::memory_order_acquire); }

  // For the session's thread: all of it at one moment, peaks settled.
  struct Copy {
    std::vector<LedgerSite> sites;
    std::array<double, 65> sizes{};  // blocks by the bit length of their size
    std::int64_t peak = 0, peak_time = 0;
    std::uint64_t changes = 0;
  };
  // False: nothing happened since `copy` was made.
  bool copy_to(Copy& copy);
  std::vector<BigBlock> big_blocks();

 private:
  // What one recorded block stands for.
  struct Share {
    std::int64_t bytes = 0;
    double blocks = 1;
  };

  LedgerSite& change(std::uint32_t site);
  void add(std::uint32_t site, std::size_t size, Share share);
  void take_off(std::uint32_t site, Share share, std::int64_t age);
  void forget(const BlockTable::Block& gone, const void* block, std::int64_t now);

  Share share_of(const LedgerSiteKey& key, std::size_t size) const;
  void filter(std::uint32_t site, void (BlockFilter::*note)(const void*), const void* block);

  BlockFilter block_filter_, object_filter_;
  const Sampling sampling_;
  std::mutex mutex_;
  std::vector<LedgerSite> sites_;
  boost::unordered_flat_map<LedgerSiteKey, std::uint32_t> site_numbers_;
  BlockTable blocks_;
  MappingTable mappings_;
  std::array<double, 65> sizes_{};
  std::atomic<bool> is_frozen_{false};
  std::uint32_t peak_number_ = 0;
  std::int64_t peak_ = 0, peak_time_ = 0;
  std::uint64_t changes_ = 1;
};

}  // namespace pyrometer
