// The union of what several files say about the program: metrics, modules, functions, nodes,
// lines, edges and source texts, matched by content id. Adding is associative and
// commutative but for the row numbers; where files spell the same function differently, the
// smallest spelling wins.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "merge/canonical_order.h"
#include "store/merged_tables.h"

namespace pyrometer {

// Where the rows of one file's tables went in another's.
struct RowMaps {
  std::vector<std::uint32_t> metrics;
  std::array<std::vector<std::uint32_t>, kSubjects> items;
};

// Rows that stay where they are.
RowMaps identity_rows(const MergedTables& tables);

class StructureUnion {
 public:
  // Processes are not added. Fails when a metric means something else than before.
  Result<RowMaps> add(const MergedTables& other, const CanonicalOrder& order);

  // A note is kept once, whatever the number of files that say it.
  void add_note(const std::string& note);

  const MergedTables& tables() const { return tables_; }
  MergedTables take() && { return std::move(tables_); }

 private:
  Result<std::vector<std::uint32_t>> add_metrics(const Profile& other);
  std::vector<std::uint32_t> add_modules(const Profile& other);
  std::vector<std::uint32_t> add_functions(const Profile& other, const CanonicalOrder& order);
  void add_sources(const Profile& other);
  void add_quickest_calls(const MergedTables& other, const std::vector<std::uint32_t>& functions);

  using PairKey = std::pair<std::uint32_t, std::uint32_t>;

  MergedTables tables_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> modules_;  // by build id and path
  boost::unordered_flat_map<ContentId, std::uint32_t, std::hash<ContentId>> functions_, nodes_;
  boost::unordered_flat_map<PairKey, std::uint32_t> lines_, edges_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> quickest_calls_;
};

// The tables in canonical order (metrics by name, modules by build id and path), and where
// each row went.
struct SortedTables {
  MergedTables tables;
  RowMaps rows;
};
SortedTables sort_tables(const MergedTables& tables);

// Rows of edges as rows of their items: self and total follow one another.
std::vector<std::uint32_t> item_rows(const std::vector<std::uint32_t>& edge_rows);

}  // namespace pyrometer
