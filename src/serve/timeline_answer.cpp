// What threads or processes did over time, with regions and counters.
#include <algorithm>

#include "analyze/thread_count.h"
#include "analyze/time_tracks.h"
#include "analyze/time_windows.h"
#include "base/json_writer.h"
#include "serve/answers.h"
#include "serve/columns.h"
#include "serve/scope.h"
#include "serve/timeline_events.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;
constexpr std::size_t kMostTracks = 256;
constexpr std::uint32_t kDefaultBuckets = 1000;
constexpr std::uint32_t kMostBuckets = 10'000;

// The kinds of time that make up the wall time, in the order in which they are drawn.
constexpr std::string_view kKinds[] = {
    metric::kPython, metric::kNative, metric::kSystem, metric::kGilWait,  metric::kLockWait,
    metric::kMpi,    metric::kIo,     metric::kSleep,  metric::kRunnable, metric::kIdle,
};
constexpr std::string_view kRunning = "running";  // where no kinds are known
constexpr std::string_view kOther = "other";      // what no kind explains

struct Range {
  std::int64_t from = 0, to = 0;  // ns since the first process began
  std::uint32_t buckets = 1;

  double bucket() const { return static_cast<double>(to - from) / buckets; }
};

// Which row of the picture a thread is in; tracks beyond the most are left out.
class TrackRows {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  TrackRows(const Profile& profile, const ViewScope& scope, bool by_thread)
      : of_thread_(profile.threads.size(), kNone) {
    std::vector<std::size_t> of_process(profile.processes.size(), kNone);
    for (std::size_t i = 0; i < profile.threads.size(); ++i) {
      if (!scope.has(ThreadId::from_index(i))) continue;
      if (stands_for_short_threads(profile, profile.threads[i])) continue;
      const std::uint32_t process = profile.threads[i].process.row();
      std::size_t& row = by_thread ? of_thread_[i] : of_process[process];
      if (row == kNone) {
        if (tracks_.size() == kMostTracks) {
          row = kLeftOut;
          ++omitted_;
        } else {
          row = tracks_.size();
          tracks_.push_back(by_thread ? static_cast<std::uint32_t>(i) : process);
        }
      }
      of_thread_[i] = row == kLeftOut ? kNone : row;
    }
  }

  std::size_t of(ThreadId thread) const { return of_thread_[thread.row()]; }
  const std::vector<std::uint32_t>& tracks() const { return tracks_; }
  std::size_t omitted() const { return omitted_; }

 private:
  static constexpr std::size_t kLeftOut = kNone - 1;

  std::vector<std::size_t> of_thread_;
  std::vector<std::uint32_t> tracks_;
  std::size_t omitted_ = 0;
};

// Kinds of time that any thread has, and the columns of a track that hold them.
class Categories {
 public:
  Categories(const Profile& profile, const std::vector<TimeTrack>& tracks) {
    for (const std::string_view kind : kKinds) {
      const auto metric = profile.find_metric(kind);
      const bool is_used =
          metric && std::any_of(tracks.begin(), tracks.end(), [&](const TimeTrack& track) {
            return column_of(track, *metric).has_value();
          });
      if (!is_used) continue;
      names_.push_back(kind);
      metrics_.push_back(*metric);
    }
    names_.push_back(names_.empty() ? kRunning : kOther);
  }

  const std::vector<std::string_view>& names() const { return names_; }

  std::vector<std::optional<std::size_t>> columns(const TimeTrack& track) const {
    std::vector<std::optional<std::size_t>> columns;
    for (const MetricId metric : metrics_) columns.push_back(column_of(track, metric));
    return columns;
  }

 private:
  std::vector<std::string_view> names_;
  std::vector<MetricId> metrics_;
};

// Divides time among buckets: how many threads were there on the average.
class Activity {
 public:
  Activity(const Range& range, std::size_t tracks, std::size_t categories)
      : range_(range), categories_(categories), values_(tracks * categories * range.buckets) {}

  // `shares` by category: parts of the stretch, which add up to 1.
  void add(std::size_t track, std::int64_t begin, std::int64_t end,
           std::span<const double> shares) {
    if (end <= range_.from || begin >= range_.to) return;
    const double width = range_.bucket();
    const double from = static_cast<double>(std::max(begin, range_.from) - range_.from) / width;
    const double to = static_cast<double>(std::min(end, range_.to) - range_.from) / width;
    if (!(to > from)) return;
    const auto last = std::min<std::size_t>(static_cast<std::size_t>(to), range_.buckets - 1);
    for (auto bucket = static_cast<std::size_t>(from); bucket <= last; ++bucket) {
      const auto at = static_cast<double>(bucket);
      const double part = std::min(to, at + 1) - std::max(from, at);
      for (std::size_t i = 0; i < categories_; ++i) {
        values_[(track * categories_ + i) * range_.buckets + bucket] +=
            static_cast<float>(part * shares[i]);
      }
    }
  }

  const std::vector<float>& values() const { return values_; }

 private:
  Range range_;
  std::size_t categories_;
  std::vector<float> values_;
};

void add_track(const TimeTrack& track, std::size_t row, std::int64_t offset,
               const TimeWindows& windows, const Categories& categories, Activity& activity) {
  const auto columns = categories.columns(track);
  std::vector<double> shares(categories.names().size());
  for_each_stretch(track, [&](std::int64_t begin, std::int64_t end, NodeId,
                              std::span<const std::int64_t> values) {
    const double inside = windows.part_inside(begin, end);
    if (inside <= 0 || end <= begin) return;
    double left = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      shares[i] = columns[i]
                      ? static_cast<double>(values[*columns[i]]) / static_cast<double>(end - begin)
                      : 0;
      left -= shares[i];
    }
    shares.back() = std::max(0.0, left);
    activity.add(row, begin + offset, end + offset, shares);
  });
}

Range range_of(const ViewScope& scope, const ProfileClock& clock, std::uint32_t buckets) {
  Range range{.from = std::max<std::int64_t>(scope.from, 0),
              .to = std::min(scope.to, clock.end()),
              .buckets = std::max(1U, buckets)};
  range.to = std::max(range.to, range.from + 1);
  return range;
}

}  // namespace

Result<Answer> answer_timeline(const ViewedProfile& viewed, const Request& request) {
  PYROMETER_TRY(const std::string_view by, request.word("by", {"thread", "process"}));
  PYROMETER_TRY(const std::uint32_t buckets,
                request.number("buckets", kDefaultBuckets, kMostBuckets));
  PYROMETER_TRY(const Profile* profile, viewed.whole());
  PYROMETER_TRY(const ViewScope scope, parse_scope(request, *profile));
  const ProfileClock clock(*profile);
  const Range range = range_of(scope, clock, buckets);
  const TrackRows rows(*profile, scope, by == "thread");
  const std::vector<TimeTrack> tracks = make_time_tracks(*profile);
  const Categories categories(*profile, tracks);
  Activity activity(range, tracks.empty() ? 0 : rows.tracks().size(), categories.names().size());
  for (const TimeTrack& track : tracks) {
    const std::size_t row = rows.of(track.thread);
    if (row == TrackRows::kNone) continue;
    const TimeWindows windows(*profile, clock, scope, track.thread);
    add_track(track, row, clock.offset(*profile, track.thread), windows, categories, activity);
  }
  const TimelineEvents events(*profile, clock, scope, range.from, range.to);

  JsonWriter meta;
  meta.begin_object().member("from", static_cast<double>(range.from) / kSecond);
  meta.member("to", static_cast<double>(range.to) / kSecond).member("buckets", range.buckets);
  meta.key("categories").begin_array();
  for (const std::string_view name : categories.names()) meta.value(name);
  meta.end_array().member("omitted", rows.omitted());
  events.describe(meta);
  meta.end_object();

  ColumnsWriter out(request.is_packed);
  const std::vector<std::uint32_t> none;
  out.add("track", std::span<const std::uint32_t>(tracks.empty() ? none : rows.tracks()));
  out.add("activity", std::span<const float>(activity.values()));
  events.write(out);
  return Answer{out.take(meta.take()), kBinaryType};
}

}  // namespace pyrometer
