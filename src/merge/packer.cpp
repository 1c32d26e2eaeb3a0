#include "merge/packer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "merge/digest.h"
#include "profile/value_rows.h"

namespace pyrometer {
namespace {

constexpr unsigned kColumnBits = 16;
constexpr unsigned kPlaceBits = 32;
static_assert(kMaxMergedMetrics * kThreadClasses < 1U << kColumnBits);

constexpr std::uint32_t column_in(std::uint64_t order) {
  return static_cast<std::uint32_t>(order & ((1U << kColumnBits) - 1));
}
constexpr Subject subject_in(std::uint64_t order) {
  return static_cast<Subject>(order >> (kColumnBits + kPlaceBits));
}

// The same for the same item of any file.
std::uint64_t digest_of(const MergedTables& tables, Subject subject, std::uint32_t row) {
  const auto of_function = [&](FunctionId function) {
    return function.is_none() ? 0 : tables.profile.functions[function.row()].id.low;
  };
  switch (subject) {
    case Subject::kNode: return tables.profile.nodes[row].id.low;
    case Subject::kLine:
      return mixed(of_function(tables.lines[row].function) + tables.lines[row].line);
    case Subject::kEdge: {
      const EdgeItem& edge = tables.edges[row / kItemsPerEdge];
      return mixed(mixed(of_function(edge.callee)) + of_function(edge.caller)) +
             row % kItemsPerEdge;
    }
  }
  return 0;
}

}  // namespace

Packer::Packer(const MergedTables& file, const CanonicalOrder& order, const RowMaps& rows,
               const MergedTables& shard)
    : shard_(shard), metrics_(rows.metrics), entries_(file.profile.processes.size()) {
  for (const Metric& metric : shard.profile.metrics) {
    metric_digests_.push_back(content_id(metric.name).low);
  }
  const std::array orders = {order.nodes, order.lines, item_rows(order.edges)};
  for (std::size_t i = 0; i < kSubjects; ++i) {
    places_[i] = places_in(orders[i]);
    for (const std::uint32_t row : orders[i]) {
      rows_[i].push_back(rows.items[i][row]);
      digests_[i].push_back(digest_of(file, static_cast<Subject>(i), row));
    }
  }
}

void Packer::add(std::size_t process, Subject subject, std::size_t item, std::uint32_t metric,
                 ThreadClass thread_class, std::int64_t value) {
  const std::uint64_t place = places_[static_cast<std::size_t>(subject)][item];
  const std::uint64_t column = column_of(metrics_[metric], thread_class);
  const std::uint64_t upper = static_cast<std::uint64_t>(subject) << kPlaceBits | place;
  entries_[process].push_back({upper << kColumnBits | column, value});
}

// Where most places have values, these are counted into their order, which takes two passes.
void Packer::sort(std::vector<Entry>& entries) const {
  const auto is_before = [](const Entry& a, const Entry& b) { return a.order < b.order; };
  const std::size_t nodes = places_[static_cast<std::size_t>(Subject::kNode)].size();
  const bool has_nodes_only = std::all_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return subject_in(entry.order) == Subject::kNode;
  });
  if (!has_nodes_only || entries.size() < nodes / 4) {
    std::sort(entries.begin(), entries.end(), is_before);
    return;
  }
  std::vector<std::uint32_t> next(nodes + 1);  // by place: where its next entry goes
  for (const Entry& entry : entries) ++next[(entry.order >> kColumnBits) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Entry> sorted(entries.size());
  for (const Entry& entry : entries) sorted[next[entry.order >> kColumnBits]++] = entry;
  auto first = sorted.begin();
  for (std::size_t place = 0; place < nodes; ++place) {
    const auto end = sorted.begin() + next[place];
    std::sort(first, end, is_before);
    first = end;
  }
  entries = std::move(sorted);
}

void Packer::combine_threads(std::vector<Entry>& entries) const {
  sort(entries);
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept == 0 || entries[kept - 1].order != entry.order) {
      entries[kept++] = entry;
      continue;
    }
    const Metric& metric = shard_.profile.metrics[metric_of(column_in(entry.order))];
    std::int64_t& value = entries[kept - 1].value;
    value = combined(combine_of(subject_in(entry.order), metric), value, entry.value);
  }
  entries.resize(kept);
  std::erase_if(entries, [](const Entry& entry) { return entry.value == 0; });
}

Result<Packer::Packed> Packer::pack(std::size_t process, Spool& spool) {
  std::vector<Entry> entries = std::exchange(entries_[process], {});
  combine_threads(entries);
  Packed packed;
  ParcelWriter writer(spool);
  for (std::size_t i = 0; i < entries.size();) {
    const std::uint64_t item = entries[i].order >> kColumnBits;
    const auto subject = static_cast<std::size_t>(item >> kPlaceBits);
    const auto place = static_cast<std::uint32_t>(item);
    writer.begin_item({static_cast<Subject>(subject), rows_[subject][place]});
    for (; i < entries.size() && entries[i].order >> kColumnBits == item; ++i) {
      const std::uint32_t column = column_in(entries[i].order);
      writer.value(column, entries[i].value);
      // A sum of hashes, so that the order of the columns does not matter.
      const std::uint64_t key = digests_[subject][place] ^ metric_digests_[metric_of(column)];
      packed.digest += mixed(mixed(key + static_cast<std::uint64_t>(class_of(column))) +
                             static_cast<std::uint64_t>(entries[i].value));
    }
    PYROMETER_TRY_VOID(writer.end_item());
  }
  PYROMETER_TRY(packed.pieces, writer.finish());
  return packed;
}

}  // namespace pyrometer
