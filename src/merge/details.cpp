#include "merge/details.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/check.h"
#include "base/compression.h"
#include "merge/bin_samples.h"
#include "merge/bound_live.h"
#include "merge/digest.h"
#include "merge/thread_of_class.h"
#include "profile/timed_values.h"
#include "store/mpi_calls.h"

namespace pyrometer {
namespace {

// Spools are read once and soon: little compression is enough.
constexpr int kQuickCompression = 1;

bool is_empty(const ClassDetails& details) {
  return details.mpi_calls.empty() && details.bins.times.empty() && details.live.empty();
}

void sort_calls(std::vector<MpiCalls>& calls) {
  std::sort(calls.begin(), calls.end(),
            [](const MpiCalls& a, const MpiCalls& b) { return place_of(a) < place_of(b); });
}

std::uint32_t node_row(const RowMaps& rows, NodeId node) {
  return rows.items[static_cast<std::size_t>(Subject::kNode)][node.row()];
}

void pack_calls(const std::vector<MpiCalls>& calls, const RowMaps& rows, ByteWriter& out) {
  out.varint(calls.size());
  for (const MpiCalls& each : calls) {
    out.varint(node_row(rows, each.node));
    out.varint(each.communicator);
    out.varint(each.size_class);
    for (const std::int64_t value :
         {each.calls, each.time, each.bytes, each.quickest, each.slowest}) {
      out.signed_varint(value);
    }
  }
}

std::vector<MpiCalls> unpack_calls(ByteReader& in, const RowMaps& rows) {
  std::vector<MpiCalls> calls(in.varint());
  for (MpiCalls& each : calls) {
    each.node = NodeId(node_row(rows, NodeId(in.varint32())));
    each.communicator = in.varint32();
    each.size_class = in.varint32();
    for (std::int64_t* value :
         {&each.calls, &each.time, &each.bytes, &each.quickest, &each.slowest}) {
      *value = in.signed_varint();
    }
  }
  sort_calls(calls);
  return calls;
}

void pack_bins(const TimeBins& bins, const RowMaps& rows, ByteWriter& out) {
  out.varint(bins.width_bits);
  out.varint(bins.times.size());
  std::int64_t last = 0;
  for (const BinnedTime& time : bins.times) {
    out.signed_varint(time.bin - last);
    out.varint(node_row(rows, time.node));
    out.varint(rows.metrics[time.kind.row()]);
    out.varint(time.units);
    last = time.bin;
  }
}

TimeBins unpack_bins(ByteReader& in, const RowMaps& rows) {
  TimeBins bins{.width_bits = in.varint32(), .times = {}};
  bins.times.resize(in.varint());
  std::int64_t last = 0;
  for (BinnedTime& time : bins.times) {
    last += in.signed_varint();
    time.bin = last;
    time.node = NodeId(node_row(rows, NodeId(in.varint32())));
    time.kind = MetricId(rows.metrics[in.varint32()]);
    time.units = in.varint32();
  }
  std::sort(bins.times.begin(), bins.times.end());
  return bins;
}

void pack_live(const std::vector<LiveTrack>& tracks, const RowMaps& rows, ByteWriter& out) {
  out.varint(tracks.size());
  for (const LiveTrack& track : tracks) {
    out.varint(node_row(rows, track.node));
    out.varint(track.points.size());
    TimedValue last;
    for (const TimedValue& point : track.points) {
      out.signed_varint(point.first - last.first);
      out.signed_varint(point.second - last.second);
      last = point;
    }
  }
}

std::vector<LiveTrack> unpack_live(ByteReader& in, const RowMaps& rows) {
  std::vector<LiveTrack> tracks(in.varint());
  for (LiveTrack& track : tracks) {
    track.node = NodeId(node_row(rows, NodeId(in.varint32())));
    track.points.resize(in.varint());
    TimedValue last;
    for (TimedValue& point : track.points) {
      last.first += in.signed_varint();
      last.second += in.signed_varint();
      point = last;
    }
  }
  std::sort(tracks.begin(), tracks.end(),
            [](const LiveTrack& a, const LiveTrack& b) { return a.node < b.node; });
  return tracks;
}

std::uint64_t digest_of(const ClassDetails& details, const Profile& profile) {
  std::uint64_t digest = 0;
  const auto node_digest = [&](NodeId node) { return profile.nodes[node.row()].id.low; };
  for (const MpiCalls& each : details.mpi_calls) {
    Digest of_calls(node_digest(each.node));
    for (const std::int64_t value :
         {std::int64_t{each.communicator}, std::int64_t{each.size_class}, each.calls, each.time,
          each.bytes, each.quickest, each.slowest}) {
      of_calls.add(static_cast<std::uint64_t>(value));
    }
    digest += of_calls.value();
  }
  for (const BinnedTime& time : details.bins.times) {
    Digest of_time(node_digest(time.node));
    of_time.add(content_id(profile.metrics[time.kind.row()].name).low);
    of_time.add(static_cast<std::uint64_t>(time.bin));
    of_time.add(time.units);
    digest += of_time.value();
  }
  for (const LiveTrack& track : details.live) {
    Digest of_track(node_digest(track.node));
    for (const auto& [time, bytes] : track.points) {
      of_track.add(static_cast<std::uint64_t>(time));
      of_track.add(static_cast<std::uint64_t>(bytes));
    }
    digest += of_track.value();
  }
  return digest;
}

}  // namespace

std::vector<ProcessDetails> details_of(const Profile& profile) {
  std::vector<ProcessDetails> details(profile.processes.size());
  auto bins = bin_samples(profile);
  auto live = bound_live(profile);
  for (std::size_t i = 0; i < details.size(); ++i) {
    for (std::size_t k = 0; k < kThreadClasses; ++k) {
      details[i][k].bins = std::move(bins[i][k]);
      details[i][k].live = std::move(live[i][k]);
    }
  }
  for (const MpiCalls& calls : profile.mpi_calls) {
    const Thread& thread = profile.threads[calls.thread.row()];
    details[thread.process.row()][static_cast<std::size_t>(thread.thread_class)]
        .mpi_calls.push_back(calls);
  }
  for (ProcessDetails& process : details) {
    for (ClassDetails& each : process) {
      std::vector<MpiCalls>& calls = each.mpi_calls;
      sort_calls(calls);
      // Threads of one class become one.
      std::size_t kept = 0;
      for (const MpiCalls& next : calls) {
        if (kept > 0 && place_of(calls[kept - 1]) == place_of(next)) {
          add_calls(calls[kept - 1], next);
        } else {
          calls[kept++] = next;
        }
      }
      calls.resize(kept);
    }
  }
  return details;
}

PackedDetails pack_details(const ProcessDetails& details, const MergedTables& file,
                           const RowMaps& rows) {
  if (std::all_of(details.begin(), details.end(), is_empty)) return {};
  PackedDetails packed;
  ByteWriter out;
  for (std::size_t i = 0; i < kThreadClasses; ++i) {
    pack_calls(details[i].mpi_calls, rows, out);
    pack_bins(details[i].bins, rows, out);
    pack_live(details[i].live, rows, out);
    packed.digest += digest_of(details[i], file.profile) * (i + 1);
  }
  ByteWriter sized;
  sized.varint(out.size());
  sized.raw(compress(out.bytes(), kQuickCompression));
  packed.bytes = sized.take();
  return packed;
}

ProcessDetails unpack_details(std::string_view packed, const RowMaps& rows) {
  ProcessDetails details;
  if (packed.empty()) return details;
  ByteReader sized(packed);
  const std::uint64_t size = sized.varint();
  const auto plain = decompress(sized.rest(), size);
  PYROMETER_CHECK(plain.has_value());
  ByteReader in(*plain);
  for (ClassDetails& each : details) {
    each.mpi_calls = unpack_calls(in, rows);
    each.bins = unpack_bins(in, rows);
    each.live = unpack_live(in, rows);
  }
  PYROMETER_CHECK(in.done());
  return details;
}

std::vector<WaitCell> waits_of(const ProcessDetails& details, const Profile& profile,
                               const QuickestMpiCalls& quickest) {
  std::vector<WaitCell> waits;
  for (std::size_t i = 0; i < kThreadClasses; ++i) {
    for (const MpiCalls& calls : details[i].mpi_calls) {
      const std::int64_t wait = quickest.wait(profile.nodes[calls.node.row()].function, calls);
      if (wait != 0) waits.push_back({calls.node.row(), static_cast<ThreadClass>(i), wait});
    }
  }
  const auto place = [](const WaitCell& cell) { return std::pair(cell.node, cell.thread_class); };
  std::sort(waits.begin(), waits.end(),
            [&](const WaitCell& a, const WaitCell& b) { return place(a) < place(b); });
  std::size_t kept = 0;
  for (const WaitCell& wait : waits) {
    if (kept > 0 && place(waits[kept - 1]) == place(wait)) {
      waits[kept - 1].value += wait.value;
    } else {
      waits[kept++] = wait;
    }
  }
  waits.resize(kept);
  return waits;
}

Result<void> write_details(const ProcessDetails& details, const MergedTables& tables,
                           ProcessId process, PyroWriter& writer) {
  for (std::size_t i = 0; i < kThreadClasses; ++i) {
    if (is_empty(details[i])) continue;
    const ThreadId thread = thread_of_class(tables.profile, process, static_cast<ThreadClass>(i));
    if (!details[i].mpi_calls.empty()) {
      PYROMETER_TRY_VOID(writer.write_mpi_calls(thread, details[i].mpi_calls));
    }
    PYROMETER_TRY_VOID(writer.write_time_bins(thread, details[i].bins));
    PYROMETER_TRY_VOID(writer.write_live(thread, details[i].live));
  }
  return {};
}

}  // namespace pyrometer
