#include "merge/bin_samples.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <optional>

#include "merge/sample_kinds.h"

namespace pyrometer {
namespace {

// From the first moment to the last one that samples of a process tell of, in ns since 1970.
struct Span {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();

  // Clocks that are thousands of years apart tell nothing.
  bool makes_sense() const {
    constexpr std::uint64_t kLongest = std::uint64_t{kMostBins} << kMostWidthBits;
    const auto length = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    return begin < end && length < kLongest;
  }
  // A last moment that a bin ends with belongs to that bin.
  std::int64_t last_bin(unsigned bits) const { return (end - 1) >> bits; }
};

unsigned width_of_bins(const Span& span) {
  unsigned bits = kLeastWidthBits;
  while (bits < kMostWidthBits && span.last_bin(bits) - (span.begin >> bits) >= kMostBins) ++bits;
  return bits;
}

// What is added to a time of the process to count it from 1970.
std::int64_t clock_offset(const Process& process) { return process.start - process.clock; }

// Divides one process's class of threads into bins.
class Binning {
 public:
  Binning(const Span& span, unsigned width_bits) : span_(span), bits_(width_bits) {}

  void add(std::int64_t begin, std::int64_t end, NodeId node, MetricId kind, std::int64_t value) {
    end = std::clamp(end, span_.begin + 1, span_.end);
    begin = std::clamp(begin, span_.begin, end - 1);
    const std::int64_t last = (end - 1) >> bits_;
    std::int64_t given = 0;
    for (std::int64_t bin = begin >> bits_; bin < last; ++bin) {
      const __int128 until = ((bin + 1) << bits_) - begin;
      const auto part = static_cast<std::int64_t>(until * value / (end - begin));
      add_to(bin, node, kind, part - given);
      given = part;
    }
    add_to(last, node, kind, value - given);
  }

  TimeBins finish() {
    TimeBins bins{.width_bits = bits_, .times = {}};
    std::vector<Part> parts;
    parts.reserve(values_.size());
    for (const auto& [key, value] : values_) parts.push_back({key, value});
    // By bin, and in it the largest first.
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      if (a.bin() != b.bin()) return a.bin() < b.bin();
      return a.value != b.value ? a.value > b.value : a.key < b.key;
    });
    for (std::size_t first = 0; first < parts.size();) {
      std::size_t end = first;
      while (end < parts.size() && parts[end].bin() == parts[first].bin()) ++end;
      add_bin(std::span(parts).subspan(first, end - first), bins);
      first = end;
    }
    return bins;
  }

 private:
  static constexpr unsigned kKindBits = 9, kNodeBits = 32;
  static_assert(kMaxMergedMetrics <= 1U << kKindBits);
  struct Part {
    std::uint64_t key;
    std::int64_t value;

    std::uint64_t bin() const { return key >> (kKindBits + kNodeBits); }
    NodeId node() const { return NodeId(static_cast<std::uint32_t>(key >> kKindBits)); }
    std::uint32_t kind() const { return static_cast<std::uint32_t>(key & ((1U << kKindBits) - 1)); }
  };

  void add_to(std::int64_t bin, NodeId node, MetricId kind, std::int64_t value) {
    const auto number = static_cast<std::uint64_t>(bin - (span_.begin >> bits_));
    values_[(number << kNodeBits | node.row()) << kKindBits | kind.row()] += value;
  }

  // What has no place of its own goes to the largest of its kind, or to the largest of all.
  void add_bin(std::span<Part> parts, TimeBins& bins) {
    const auto kept = parts.first(std::min(parts.size(), kPlacesPerBin));
    for (const Part& small : parts.subspan(kept.size())) {
      const auto same = std::find_if(kept.begin(), kept.end(),
                                     [&](const Part& part) { return part.kind() == small.kind(); });
      (same == kept.end() ? kept.front() : *same).value += small.value;
    }
    const std::size_t first = bins.times.size();
    for (const Part& part : kept) {
      const std::uint32_t units = take_units(part);
      if (units == 0) continue;
      const auto bin = static_cast<std::int64_t>(part.bin()) + (span_.begin >> bits_);
      bins.times.push_back({bin, part.node(), MetricId(part.kind()), units});
    }
    std::sort(bins.times.begin() + static_cast<std::ptrdiff_t>(first), bins.times.end());
  }

  // What rounding leaves over is given to the next bin, so that sums stay right.
  std::uint32_t take_units(const Part& part) {
    if (part.kind() >= left_.size()) left_.resize(part.kind() + 1);
    std::int64_t& left = left_[part.kind()];
    left += part.value;
    const std::int64_t unit = std::int64_t{1} << (bits_ - kUnitsPerBinBits);
    const std::int64_t units = std::clamp<std::int64_t>((left + unit / 2) / unit, 0, kMostUnits);
    left -= units * unit;
    return static_cast<std::uint32_t>(units);
  }

  Span span_;
  unsigned bits_;
  boost::unordered_flat_map<std::uint64_t, std::int64_t> values_;
  std::vector<std::int64_t> left_;  // by kind
};

// visit(begin, end, node, values, kinds), in ns since 1970, for every sample that knows its time.
template <class Visit>
void for_each_sample(const Profile& profile, const SampleTrack& track, Visit visit) {
  SampleKinds kinds(profile, track);
  if (!kinds.knows_time()) return;
  const Thread& thread = profile.threads[track.thread().row()];
  const std::int64_t offset = clock_offset(profile.processes[thread.process.row()]);
  track.for_each([&](std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
    const std::int64_t end = time + offset;
    visit(end - kinds.duration(values), end, node, values, kinds);
  });
}

}  // namespace

std::vector<std::array<TimeBins, kThreadClasses>> bin_samples(const Profile& profile) {
  std::vector<std::array<TimeBins, kThreadClasses>> result(profile.processes.size());
  std::vector<Span> spans(profile.processes.size());
  for (const SampleTrack& track : profile.samples) {
    Span& span = spans[profile.threads[track.thread().row()].process.row()];
    for_each_sample(profile, track, [&](std::int64_t begin, std::int64_t end, auto&&...) {
      span.begin = std::min(span.begin, begin);
      span.end = std::max(span.end, end);
    });
  }
  std::vector<std::array<std::optional<Binning>, kThreadClasses>> binnings(spans.size());
  for (const SampleTrack& track : profile.samples) {
    const Thread& thread = profile.threads[track.thread().row()];
    const Span& span = spans[thread.process.row()];
    if (!span.makes_sense()) continue;
    auto& binning = binnings[thread.process.row()][static_cast<std::size_t>(thread.thread_class)];
    if (!binning) binning.emplace(span, width_of_bins(span));
    for_each_sample(profile, track,
                    [&](std::int64_t begin, std::int64_t end, NodeId node,
                        std::span<const std::int64_t> values, SampleKinds& kinds) {
                      kinds.for_each(values, [&](MetricId kind, std::int64_t value) {
                        binning->add(begin, end, node, kind, value);
                      });
                    });
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t k = 0; k < kThreadClasses; ++k) {
      if (binnings[i][k]) result[i][k] = binnings[i][k]->finish();
    }
  }
  return result;
}

}  // namespace pyrometer
