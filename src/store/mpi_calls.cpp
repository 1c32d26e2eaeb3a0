#include "store/mpi_calls.h"

#include <algorithm>
#include <array>

#include "profile/value_rows.h"

namespace pyrometer {
namespace {

constexpr std::size_t kColumns = 8;

std::array<std::int64_t, kColumns> columns_of(const MpiCalls& calls) {
  return {calls.node.row(), calls.communicator, calls.size_class, calls.calls,
          calls.time,       calls.bytes,        calls.quickest,   calls.slowest};
}

bool is_u32(std::int64_t value) { return value >= 0 && value < INT64_C(0xffffffff); }

}  // namespace

void add_calls(MpiCalls& sum, const MpiCalls& more) {
  sum.calls = combined(Combine::kSum, sum.calls, more.calls);
  sum.time = combined(Combine::kSum, sum.time, more.time);
  sum.bytes = combined(Combine::kSum, sum.bytes, more.bytes);
  sum.quickest = std::min(sum.quickest, more.quickest);
  sum.slowest = std::max(sum.slowest, more.slowest);
}

Tile encode_mpi_calls(std::span<const MpiCalls> calls) {
  std::vector<std::int64_t> columns(kColumns * calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto values = columns_of(calls[i]);
    for (std::size_t k = 0; k < kColumns; ++k) columns[k * calls.size() + i] = values[k];
  }
  return encode_tile(columns);
}

Result<std::vector<MpiCalls>> decode_mpi_calls(ThreadId thread, std::size_t count,
                                               std::int64_t scale, std::uint32_t planes,
                                               std::string_view data, const Profile& profile) {
  std::vector<std::int64_t> columns(kColumns * count);
  // No planes: all is zero.
  if (planes != 0) PYROMETER_TRY_VOID(decode_tile(scale, planes, data, columns));
  std::vector<MpiCalls> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto column = [&](std::size_t k) { return columns[k * count + i]; };
    if (!is_u32(column(0)) || !is_u32(column(1)) || !is_u32(column(2)) ||
        static_cast<std::size_t>(column(0)) >= profile.nodes.size()) {
      return fail(ErrorCode::kCorrupt, "MPI calls are from nowhere");
    }
    const MpiCalls calls{.thread = thread,
                         .node = NodeId(static_cast<std::uint32_t>(column(0))),
                         .communicator = static_cast<std::uint32_t>(column(1)),
                         .size_class = static_cast<std::uint32_t>(column(2)),
                         .calls = column(3),
                         .time = column(4),
                         .bytes = column(5),
                         .quickest = column(6),
                         .slowest = column(7)};
    if (!all.empty() && place_of(all.back()) >= place_of(calls)) {
      return fail(ErrorCode::kCorrupt, "MPI calls are out of order");
    }
    all.push_back(calls);
  }
  return all;
}

void MpiCallTotals::add(std::span<const MpiCalls> calls) {
  for (MpiCalls each : calls) {
    each.thread = ThreadId::none();
    const auto [found, is_new] = sites_.try_emplace(place_of(each), each);
    if (!is_new) add_calls(found->second, each);
  }
}

}  // namespace pyrometer
