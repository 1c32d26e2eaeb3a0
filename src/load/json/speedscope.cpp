// speedscope's own format, of every version: profiles that are samples or openings and closings of
// frames, which all share one table of frames.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "formats/json_values.h"
#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "load/json/json_formats.h"
#include "load/json/sample_sink.h"

namespace pyrometer {
namespace {

struct SpeedscopeUnit {
  std::string_view name;
  Unit unit;
  double factor;
};
constexpr SpeedscopeUnit kUnits[] = {
    {"nanoseconds", Unit::kNanoseconds, 1},
    {"microseconds", Unit::kNanoseconds, 1e3},
    {"milliseconds", Unit::kNanoseconds, 1e6},
    {"seconds", Unit::kNanoseconds, 1e9},
    {"bytes", Unit::kBytes, 1},
    {"none", Unit::kCount, 1},
};

struct Frame {
  FunctionId function;
  std::uint32_t line = 0;
  bool is_process = false;
};

class SpeedscopeLoader {
 public:
  SpeedscopeLoader(const json::object& file, Detail detail)
      : file_(file), detail_(detail), exporter_(text_in(file, "exporter")) {}

  Result<Profile> load() {
    PYROMETER_TRY_VOID(read_frames());
    const json::array* profiles = array_in(file_, "profiles");
    if (profiles == nullptr || profiles->empty()) {
      return fail(ErrorCode::kCorrupt, "this speedscope file has no profiles");
    }
    for (const json::value& profile : *profiles) {
      ++number_;
      const json::object* object = profile.if_object();
      if (object == nullptr) return broken("is not an object");
      PYROMETER_TRY_VOID(read_profile(*object));
    }
    return builder_.finish();
  }

 private:
  tl::unexpected<Error> broken(std::string_view what) const {
    return fail(ErrorCode::kCorrupt, "profile {} of this speedscope file {}", number_, what);
  }

  // These write the line that ran; others the line where the function begins.
  bool lines_are_positions() const {
    return exporter_.starts_with("py-spy") || exporter_.starts_with("Austin") ||
           exporter_.starts_with("memray");
  }

  Result<void> read_frames() {
    const json::object* shared = object_in(file_, "shared");
    const json::array* frames = shared == nullptr ? nullptr : array_in(*shared, "frames");
    if (frames == nullptr) {
      return fail(ErrorCode::kCorrupt, "this speedscope file has no table of frames");
    }
    const bool are_positions = lines_are_positions();
    frames_.reserve(frames->size());
    for (const json::value& value : *frames) {
      const json::object* frame = value.if_object();
      if (frame == nullptr) {
        return fail(ErrorCode::kCorrupt, "frame {} of this speedscope file is not an object",
                    frames_.size());
      }
      const std::uint32_t line = line_in(*frame, "line");
      const std::string_view name = text_in(*frame, "name");
      // py-spy puts the process, which the profile's name tells as well, on top of its stacks.
      if (exporter_.starts_with("py-spy") && name.starts_with("process ") && line == 0) {
        const FunctionId label =
            builder_.function({.kind = FunctionKind::kLabel, .name = name, .qualified_name = name});
        frames_.push_back({.function = label, .is_process = true});
        continue;
      }
      frames_.push_back(
          {foreign_function(builder_, name, text_in(*frame, "file"), are_positions ? 0 : line),
           are_positions ? line : 0});
    }
    return {};
  }

  // The number behind a word, as in "Process 12 Thread 34"; empty when the word is not there.
  static std::string number_behind(std::string_view word, std::string_view name) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos) return "";
    name.remove_prefix(at + word.size());
    return std::string(name.substr(0, name.find_first_not_of("0123456789xabcdefABCDEF")));
  }

  // "rank 3: main" of our own export, 'Process 12 Thread 34 "name"' of py-spy, "Wall time profile
  // for 12:0:34" of austin. memray writes bytes and counts of the same calls as two profiles.
  Result<ThreadId> thread_of(std::string_view name) {
    if (exporter_.starts_with("memray")) return threads_.thread("", "main");
    const bool is_ours = exporter_ == "pyrometer" && name.starts_with("rank ");
    const bool is_austin = exporter_.starts_with("Austin");
    const std::string process = number_behind(is_ours     ? "rank "
                                              : is_austin ? "profile for "
                                                          : "Process ",
                                              name);
    // Nothing forbids two threads of one name.
    PYROMETER_TRY(const ThreadId thread, threads_.thread(process, std::to_string(number_)));
    Thread& row = builder_.profile().threads[thread.row()];
    row.tid = number_of_label(is_austin ? name.substr(name.rfind(':') + 1)
                                        : std::string_view(number_behind("Thread ", name)));
    if (is_ours) {
      Process& owner = builder_.profile().processes[row.process.row()];
      owner.pid = 0;
      owner.rank = static_cast<std::int64_t>(number_of_label(process));
      name.remove_prefix(std::min(name.size(), name.find(": ") + 2));
    }
    const std::size_t quote = name.find('"');
    const bool is_quoted = row.tid != 0 && quote != std::string_view::npos && name.ends_with('"');
    if (is_quoted && quote + 2 < name.size()) {
      name = name.substr(quote + 1, name.size() - quote - 2);
    }
    threads_.set_name(thread, name);
    return thread;
  }

  MetricId metric_of(const SpeedscopeUnit& unit, std::string_view name, bool is_sampled) {
    const bool is_cpu = exporter_.starts_with("Austin") && name.starts_with("CPU time");
    switch (unit.unit) {
      case Unit::kNanoseconds:
        return builder_.metric(
            {std::string(is_cpu ? metric::kCpu : metric::kWall), Unit::kNanoseconds});
      case Unit::kBytes: return builder_.metric({std::string(metric::kAllocated), Unit::kBytes});
      case Unit::kCount: break;
    }
    if (exporter_.starts_with("memray")) return builder_.metric({"allocations"});
    return builder_.metric({std::string(is_sampled ? metric::kSamples : "weight")});
  }

  Result<void> read_profile(const json::object& profile) {
    const std::string_view type = text_in(profile, "type");
    const std::string_view unit_name = text_in(profile, "unit");
    const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](const auto& each) { return each.name == unit_name; });
    if (unit == std::end(kUnits)) return broken("has a unit that speedscope does not know");
    const bool is_sampled = type == "sampled";
    if (!is_sampled && type != "evented") return broken("is neither 'sampled' nor 'evented'");

    PYROMETER_TRY(const ThreadId thread, thread_of(text_in(profile, "name")));
    std::vector<MetricId> metrics{metric_of(*unit, text_in(profile, "name"), is_sampled)};
    const bool is_time = unit->unit == Unit::kNanoseconds;
    // Each stack is one sample, unless the weights count them.
    if (is_sampled && is_time) {
      metrics.push_back(builder_.metric({std::string(metric::kSamples)}));
    }
    const bool is_exact = unit->unit == Unit::kBytes || exporter_.starts_with("memray");
    if ((is_sampled && !is_exact) || exporter_ == "pyinstrument") {
      builder_.profile().is_sampled = true;
    }
    const std::int64_t begin = scaled_in(profile, "startValue", unit->factor).value_or(0);
    // The axis of our own export is the sum of the values, not time.
    const bool in_time = is_time && detail_ >= Detail::kSamples && exporter_ != "pyrometer";
    SampleSink sink(builder_, thread, metrics, in_time);
    PYROMETER_TRY(const std::int64_t end, is_sampled
                                              ? read_samples(profile, unit->factor, begin, sink)
                                              : read_events(profile, unit->factor, begin, sink));
    sink.finish();
    if (is_time) threads_.saw(thread, begin, end);
    return {};
  }

  // Both return where the axis ends.
  Result<std::int64_t> read_samples(const json::object& profile, double factor, std::int64_t time,
                                    SampleSink& sink) {
    const json::array* samples = array_in(profile, "samples");
    const json::array* weights = array_in(profile, "weights");
    if (samples == nullptr) return broken("has no samples");
    if (weights == nullptr || weights->size() != samples->size()) {
      return broken("has not one weight for each sample");
    }
    for (std::size_t i = 0; i < samples->size(); ++i) {
      const json::array* stack = (*samples)[i].if_array();
      const auto weight = scaled((*weights)[i], factor);
      if (stack == nullptr) return broken("has a sample that is not a list of frames");
      if (!weight || *weight < 0) return broken("has a weight that is not a positive number");
      NodeId node = NodeId::none();
      for (const json::value& row : *stack) {
        const auto frame = row_of(row, frames_.size());
        if (!frame) return broken("has a sample with a frame that is not in the table");
        if (frames_[*frame].is_process && &row != &stack->back()) continue;
        node = builder_.node(node, frames_[*frame].function, frames_[*frame].line);
      }
      if (!node.is_none()) sink.add(time, node, std::array{*weight, std::int64_t{1}});
      time += *weight;
    }
    return time;
  }

  Result<std::int64_t> read_events(const json::object& profile, double factor, std::int64_t time,
                                   SampleSink& sink) {
    const json::array* events = array_in(profile, "events");
    if (events == nullptr) return broken("has no events");
    std::vector<std::pair<std::size_t, NodeId>> open;  // frame and node
    bool is_first = true;
    for (const json::value& value : *events) {
      const json::object* event = value.if_object();
      if (event == nullptr) return broken("has an event that is not an object");
      const auto frame = row_in(*event, "frame", frames_.size());
      const auto at = scaled_in(*event, "at", factor);
      if (!frame) return broken("has an event with a frame that is not in the table");
      if (!at) return broken("has an event without a time");
      if (!is_first && *at < time) return broken("has an event that lies before the one above it");
      if (!open.empty() && *at != time) sink.add(time, open.back().second, std::array{*at - time});
      time = *at;
      is_first = false;
      const std::string_view type = text_in(*event, "type");
      if (type == "O") {
        const NodeId above = open.empty() ? NodeId::none() : open.back().second;
        open.emplace_back(*frame,
                          builder_.node(above, frames_[*frame].function, frames_[*frame].line));
      } else if (type != "C") {
        return broken("has an event that neither opens nor closes a frame");
      } else if (open.empty() || open.back().first != *frame) {
        return broken("closes a frame that is not the innermost open one");
      } else {
        open.pop_back();
      }
    }
    if (!open.empty()) return broken("ends with frames that are still open");
    return time;
  }

  const json::object& file_;
  Detail detail_;
  std::string_view exporter_;
  std::size_t number_ = 0;  // of the profile that is read, from 1
  ProfileBuilder builder_;
  ForeignThreads threads_{builder_};
  std::vector<Frame> frames_;
};

}  // namespace

Result<Profile> load_speedscope(const json::object& file, Detail detail) {
  return SpeedscopeLoader(file, detail).load();
}

}  // namespace pyrometer
