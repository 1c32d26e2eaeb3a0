// What a merged file says about the program and its processes, without the values; and how
// values are cut into tiles.
//
// A value belongs to an item of a subject (a row of the table node, line or edge), a
// process, a thread class and a metric. An edge has two items: its self and its total value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

enum class Subject : std::uint8_t { kNode, kLine, kEdge };
inline constexpr std::size_t kSubjects = 3;
inline constexpr std::size_t kThreadClasses = 3;
inline constexpr std::uint32_t kItemsPerEdge = 2;  // self, total

constexpr std::string_view name_of(Subject subject) {
  switch (subject) {
    case Subject::kNode: return "node";
    case Subject::kLine: return "line";
    case Subject::kEdge: return "edge";
  }
  return "?";
}

// One tile holds 64 items x 256 processes of one metric and thread class.
inline constexpr std::uint32_t kItemsPerBlock = 64;
inline constexpr std::uint32_t kProcessesPerBlock = 256;

// Totals are kept for every node, process and metric: more is neither written nor read.
inline constexpr std::size_t kMaxMergedMetrics = 256;
inline constexpr std::uint64_t kMaxMergedTotals = 1U << 27;
// Of source text, unpacked; what goes beyond is kept as a hash.
inline constexpr std::uint64_t kMaxMergedSources = 1U << 29;
// A longer series of a counter is kept in several rows: bounds what one row can ask for.
inline constexpr std::size_t kPointsPerRow = 1U << 22;

// How many of `total` rows lie in a block; 0 beyond the last one.
constexpr std::uint32_t rows_in_block(std::size_t total, std::size_t block, std::uint32_t size) {
  const std::size_t first = block * size;
  return first >= total ? 0
                        : static_cast<std::uint32_t>(std::min<std::size_t>(size, total - first));
}

struct LineItem {
  FunctionId function;
  std::uint32_t line = 0;
  friend auto operator<=>(const LineItem&, const LineItem&) = default;
};

struct EdgeItem {
  FunctionId caller;  // none: the function itself
  FunctionId callee;
  friend auto operator<=>(const EdgeItem&, const EdgeItem&) = default;
};

// What the quickest MPI call of its like took, in any process.
struct QuickestCall {
  FunctionId function;
  std::uint32_t communicator = 0;
  std::uint32_t size_class = 0;
  std::int64_t time = 0;  // ns
};

// A thread is a class of threads: a process has at most one of each class, and the threads
// of a process follow one another in the order of their class.
struct MergedTables {
  Profile profile;  // without cells, line and flat values, and without events
  std::vector<LineItem> lines;
  std::vector<EdgeItem> edges;
  std::vector<QuickestCall> quickest_calls;  // only while files are merged

  std::size_t item_count(Subject subject) const {
    switch (subject) {
      case Subject::kNode: return profile.nodes.size();
      case Subject::kLine: return lines.size();
      case Subject::kEdge: return edges.size() * kItemsPerEdge;
    }
    return 0;
  }
};

// Call edges hold what was added up whatever the metric; see ProfileBuilder::add_flat.
inline Combine combine_of(Subject subject, const Metric& metric) {
  return subject == Subject::kEdge ? Combine::kSum : metric.combine;
}

}  // namespace pyrometer
