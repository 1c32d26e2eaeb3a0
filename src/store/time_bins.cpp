#include "store/time_bins.h"

#include <algorithm>

#include "profile/time_kinds.h"

namespace pyrometer {
namespace {

// bins, nodes, kinds, units
constexpr std::size_t kColumns = 4;

// What a kind of time counts for, as columns of the track.
class TrackColumns {
 public:
  TrackColumns(const Profile& profile, const TimeBins& bins)
      : columns_of_(profile.metrics.size()), is_used_(profile.metrics.size()) {
    const auto wall = profile.find_metric(metric::kWall);
    const auto cpu = profile.find_metric(metric::kCpu);
    for (const BinnedTime& time : bins.times) {
      if (is_used_[time.kind.row()]) continue;
      is_used_[time.kind.row()] = true;
      std::vector<std::size_t>& columns = columns_of_[time.kind.row()];
      const std::string& name = profile.metrics[time.kind.row()].name;
      const bool is_of_cpu = std::find(kCpuKinds.begin(), kCpuKinds.end(), name) != kCpuKinds.end();
      if (wall) columns.push_back(column(*wall));
      if (cpu && is_of_cpu) columns.push_back(column(*cpu));
      if (time.kind != wall) columns.push_back(column(time.kind));
    }
  }

  const std::vector<MetricId>& metrics() const { return metrics_; }
  const std::vector<std::size_t>& of(MetricId kind) const { return columns_of_[kind.row()]; }

 private:
  std::size_t column(MetricId metric) {
    const auto found = std::find(metrics_.begin(), metrics_.end(), metric);
    const auto place = static_cast<std::size_t>(found - metrics_.begin());
    if (found == metrics_.end()) metrics_.push_back(metric);
    return place;
  }

  std::vector<MetricId> metrics_;
  std::vector<std::vector<std::size_t>> columns_of_;  // by metric
  std::vector<bool> is_used_;
};

struct Stretch {
  std::int64_t end = 0;
  std::int64_t length = 0;
  const BinnedTime* time = nullptr;
};

// The times of one bin side by side; several threads may fill it more than once.
void lay_out(std::span<const BinnedTime> times, std::int64_t width, std::vector<Stretch>& out) {
  out.clear();
  std::int64_t position = 0;
  for (const BinnedTime& time : times) {
    std::int64_t left = time.units * (width >> kUnitsPerBinBits);
    while (left > 0) {
      const std::int64_t length = std::min(left, width);
      if (position + length > width) position = 0;
      position += length;
      left -= length;
      out.push_back({position, length, &time});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Stretch& a, const Stretch& b) { return a.end < b.end; });
}

}  // namespace

std::uint64_t TimeBins::sample_count() const {
  std::uint64_t count = 0;
  for (const BinnedTime& time : times) count += (time.units >> kUnitsPerBinBits) + 1;
  return count;
}

Tile encode_time_bins(const TimeBins& bins) {
  const std::size_t count = bins.times.size();
  std::vector<std::int64_t> columns(kColumns * count);
  std::int64_t last = bins.times.empty() ? 0 : bins.times.front().bin;
  for (std::size_t i = 0; i < count; ++i) {
    const BinnedTime& time = bins.times[i];
    columns[i] = time.bin - last;
    columns[count + i] = time.node.row();
    columns[2 * count + i] = time.kind.row();
    columns[3 * count + i] = time.units;
    last = time.bin;
  }
  return encode_tile(columns);
}

Result<TimeBins> decode_time_bins(unsigned width_bits, std::int64_t first, std::size_t count,
                                  std::int64_t scale, std::uint32_t planes, std::string_view data,
                                  const Profile& profile) {
  std::vector<std::int64_t> columns(kColumns * count);
  PYROMETER_TRY_VOID(decode_tile(scale, planes, data, columns));
  TimeBins bins{.width_bits = width_bits, .times = {}};
  const std::int64_t last_bin = INT64_MAX >> width_bits;
  std::int64_t bin = first;
  bins.times.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t step = columns[i];
    const auto is_below = [&](std::size_t column, std::size_t limit) {
      const std::int64_t value = columns[column * count + i];
      return value >= 0 && static_cast<std::uint64_t>(value) < limit;
    };
    // The sign of the sum is not asked before it cannot overflow.
    if (step < 0 || step > last_bin || bin > last_bin || bin < -last_bin) {
      return fail(ErrorCode::kCorrupt, "bins of time are out of order");
    }
    bin += step;
    if (!is_below(1, profile.nodes.size()) || !is_below(2, profile.metrics.size()) ||
        !is_below(3, kMostUnits + 1)) {
      return fail(ErrorCode::kCorrupt, "a bin of time names nothing that is there");
    }
    const BinnedTime time{.bin = bin,
                          .node = NodeId(static_cast<std::uint32_t>(columns[count + i])),
                          .kind = MetricId(static_cast<std::uint32_t>(columns[2 * count + i])),
                          .units = static_cast<std::uint32_t>(columns[3 * count + i])};
    const auto place = [](const BinnedTime& each) {
      return std::tuple(each.bin, each.node, each.kind);
    };
    if (!bins.times.empty() && place(bins.times.back()) >= place(time)) {
      return fail(ErrorCode::kCorrupt, "bins of time are out of order");
    }
    bins.times.push_back(time);
  }
  return bins;
}

SampleTrack make_sample_track(const Profile& profile, ThreadId thread, const TimeBins& bins) {
  const TrackColumns columns(profile, bins);
  SampleTrack track(thread, columns.metrics());
  const Process& process = profile.processes[profile.threads[thread.row()].process.row()];
  std::vector<std::int64_t> values(columns.metrics().size());
  std::vector<Stretch> stretches;
  for (auto begin = bins.times.begin(); begin != bins.times.end();) {
    const auto end = std::find_if(begin, bins.times.end(),
                                  [&](const BinnedTime& time) { return time.bin != begin->bin; });
    lay_out(std::span(begin, end), bins.width(), stretches);
    const std::int64_t start = (begin->bin << bins.width_bits) - process.start + process.clock;
    for (const Stretch& stretch : stretches) {
      std::fill(values.begin(), values.end(), 0);
      for (const std::size_t column : columns.of(stretch.time->kind)) {
        values[column] = stretch.length;
      }
      track.append(start + stretch.end, stretch.time->node, values);
    }
    begin = end;
  }
  return track;
}

}  // namespace pyrometer
