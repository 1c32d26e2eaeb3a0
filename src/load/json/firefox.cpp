// Profiles of the Firefox Profiler: processed ones, whose tables belong to a thread or to all
// (samply, Python 3.15's sampler), and Gecko's own, where functions are texts (perf).
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>

#include "formats/json_values.h"
#include "load/json/firefox_table.h"
#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "load/json/json_formats.h"
#include "load/json/sample_sink.h"

namespace pyrometer {
namespace {

constexpr double kMillisecond = 1e6;

// What the values of a profile mean.
struct SampleMeaning {
  double interval = kMillisecond;  // ns between two samples
  double cpu_unit = 0;             // ns of one unit of threadCPUDelta; 0: not a time
  bool first_lines_are_known = true;
};

SampleMeaning meaning_of(const json::object& profile) {
  SampleMeaning meaning;
  const json::object* meta = object_in(profile, "meta");
  if (meta == nullptr) return meaning;
  meaning.interval = std::max(0.0, number_in(*meta, "interval").value_or(1)) * kMillisecond;
  // Python's sampler writes the line where it first saw a function.
  meaning.first_lines_are_known = text_in(*meta, "product") != "Python";
  const json::object* units = object_in(*meta, "sampleUnits");
  const std::string_view unit = units == nullptr ? "" : text_in(*units, "threadCPUDelta");
  if (unit == "ns") meaning.cpu_unit = 1;
  if (unit == "µs") meaning.cpu_unit = 1e3;
  return meaning;
}

class FirefoxLoader {
 public:
  explicit FirefoxLoader(Detail detail) : detail_(detail) {}

  Result<Profile> load(const json::object& file) {
    // Gecko's profiles hold those of child processes, which hold their own.
    std::vector<const json::object*> profiles{&file};
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const json::object& profile = *profiles[i];
      PYROMETER_TRY_VOID(read_profile(profile, i));
      const json::array* children = array_in(profile, "processes");
      if (children == nullptr) continue;
      for (const json::value& child : *children) {
        if (const json::object* object = child.if_object()) profiles.push_back(object);
      }
    }
    if (builder_.profile().threads.empty()) {
      return fail(ErrorCode::kCorrupt, "this Firefox profile has no threads");
    }
    if (markers_ != 0) {
      builder_.profile().notes.push_back(
          fmt::format("{} markers of this Firefox profile were left out", markers_));
    }
    builder_.profile().is_sampled = true;
    return builder_.finish();
  }

 private:
  tl::unexpected<Error> broken(std::string_view what) const {
    return fail(ErrorCode::kCorrupt, "thread {} of this Firefox profile {}", thread_number_, what);
  }

  Result<void> read_profile(const json::object& profile, std::size_t number) {
    shared_ = object_in(profile, "shared");
    meaning_ = meaning_of(profile);
    const json::array* threads = array_in(profile, "threads");
    if (threads == nullptr) return {};
    for (const json::value& value : *threads) {
      ++thread_number_;
      const json::object* thread = value.if_object();
      // Very old Gecko profiles hold those of other processes as texts among the threads.
      if (thread == nullptr) return broken("is not an object");
      PYROMETER_TRY_VOID(read_thread(*thread, number));
    }
    return {};
  }

  const json::array* strings_of(const json::object& home) const {
    for (const std::string_view name : {"stringArray", "stringTable"}) {
      if (const json::array* strings = array_in(home, name)) return strings;
    }
    return shared_ == nullptr ? nullptr : array_in(*shared_, "stringArray");
  }

  // The tables are the thread's, or shared by all and read once.
  Result<void> read_tables(const json::object& thread) {
    const bool are_shared = shared_ != nullptr && object_in(*shared_, "stackTable") != nullptr;
    if (are_shared && shared_tables_ == shared_) return {};
    shared_tables_ = are_shared ? shared_ : nullptr;
    const json::object& home = are_shared ? *shared_ : thread;
    strings_ = strings_of(home);
    frames_.clear();
    nodes_.clear();
    if (object_in(home, "funcTable") == nullptr) {
      read_gecko_frames(home);
    } else {
      PYROMETER_TRY_VOID(read_frames(home));
    }
    return read_stacks(home);
  }

  // The text that a cell stands for; empty for null.
  std::string_view text_at(const json::value& cell) const {
    const auto row = strings_ == nullptr ? std::nullopt : row_of(cell, strings_->size());
    return row ? text_of((*strings_)[*row]) : std::string_view();
  }

  struct Frame {
    FunctionId function;
    std::uint32_t line = 0;
  };

  // Processed: frames name functions, which name files, or libraries through resources.
  Result<void> read_frames(const json::object& home) {
    const FirefoxTable functions(object_in(home, "funcTable"),
                                 {"name", "fileName", "source", "lineNumber", "resource"});
    const FirefoxTable resources(object_in(home, "resourceTable"), {"name"});
    const FirefoxTable sources(shared_ == nullptr ? nullptr : object_in(*shared_, "sources"),
                               {"filename"});
    std::vector<FunctionId> ids;
    for (std::size_t row = 0; row < functions.size(); ++row) {
      std::string_view file = text_at(functions.at(row, 1));
      if (const auto source = row_of(functions.at(row, 2), sources.size())) {
        file = text_at(sources.at(*source, 0));
      }
      if (const auto resource = row_of(functions.at(row, 4), resources.size());
          resource && file.empty()) {
        file = text_at(resources.at(*resource, 0));
      }
      const std::uint32_t line = meaning_.first_lines_are_known ? line_of(functions.at(row, 3)) : 0;
      ids.push_back(foreign_function(builder_, text_at(functions.at(row, 0)), file, line));
    }
    const FirefoxTable frames(object_in(home, "frameTable"), {"func", "line"});
    for (std::size_t row = 0; row < frames.size(); ++row) {
      const auto function = row_of(frames.at(row, 0), ids.size());
      if (!function) return broken("has a frame whose function is not in the table");
      frames_.push_back({ids[*function], line_of(frames.at(row, 1))});
    }
    return {};
  }

  // Gecko: a frame's location is a text.
  void read_gecko_frames(const json::object& home) {
    const FirefoxTable frames(object_in(home, "frameTable"), {"location", "line"});
    for (std::size_t row = 0; row < frames.size(); ++row) {
      const ForeignFrame frame = split_frame(text_at(frames.at(row, 0)));
      // A line inside the text is where the function begins, if the frame has one, too.
      const std::uint32_t line = line_of(frames.at(row, 1));
      frames_.push_back(
          {foreign_function(builder_, frame.name, frame.file, line == 0 ? 0 : frame.line),
           line == 0 ? frame.line : line});
    }
  }

  Result<void> read_stacks(const json::object& home) {
    const FirefoxTable stacks(object_in(home, "stackTable"), {"prefix", "frame"});
    for (std::size_t row = 0; row < stacks.size(); ++row) {
      const json::value& prefix = stacks.at(row, 0);
      const auto above = row_of(prefix, row);  // stands before, so that no path is endless
      if (!above && !prefix.is_null()) return broken("has a stack that does not follow its prefix");
      const auto frame = row_of(stacks.at(row, 1), frames_.size());
      if (!frame) return broken("has a stack with a frame that is not in the table");
      nodes_.push_back(builder_.node(above ? nodes_[*above] : NodeId::none(),
                                     frames_[*frame].function, frames_[*frame].line));
    }
    return {};
  }

  Result<ThreadId> thread_of(const json::object& thread, std::size_t profile) {
    const std::string pid = label_in(thread, "pid");
    PYROMETER_TRY(const ThreadId id,
                  threads_.thread(pid.empty() ? fmt::format("#{}", profile) : pid,
                                  fmt::format("{}#{}", label_in(thread, "tid"), thread_number_)));
    if (const std::string_view name = text_in(thread, "name"); !name.empty()) {
      threads_.set_name(id, name);
    }
    if (const json::value* is_main = member_of(thread, "isMainThread")) {
      builder_.profile().threads[id.row()].thread_class =
          *is_main == true ? ThreadClass::kMain : ThreadClass::kPython;
    }
    return id;
  }

  Result<void> read_thread(const json::object& thread, std::size_t profile) {
    PYROMETER_TRY(const ThreadId id, thread_of(thread, profile));
    PYROMETER_TRY_VOID(read_tables(thread));
    const json::object* markers = object_in(thread, "markers");
    markers_ += FirefoxTable(markers, {"name"}).size();
    const json::object* samples = object_in(thread, "samples");
    if (samples == nullptr) return broken("has no samples");
    return read_samples(*samples, id);
  }

  Result<void> read_samples(const json::object& samples, ThreadId thread) {
    const FirefoxTable table(samples.empty() ? nullptr : &samples,
                             {"stack", "time", "timeDeltas", "weight", "threadCPUDelta"});
    const std::string_view type = text_in(samples, "weightType");
    const bool are_bytes = type == "bytes";
    const bool are_times = type == "tracing-ms";
    std::vector<MetricId> metrics;
    if (are_bytes) {
      metrics.push_back(builder_.metric({std::string(metric::kAllocated), Unit::kBytes}));
    } else {
      metrics.push_back(builder_.metric({std::string(metric::kWall), Unit::kNanoseconds}));
    }
    metrics.push_back(builder_.metric({std::string(metric::kSamples)}));
    if (meaning_.cpu_unit != 0) {
      metrics.push_back(builder_.metric({std::string(metric::kCpu), Unit::kNanoseconds}));
    }
    SampleSink sink(builder_, thread, metrics, detail_ >= Detail::kSamples);
    std::int64_t time = 0;
    for (std::size_t row = 0; row < table.size(); ++row) {
      if (const auto absolute = scaled(table.at(row, 1), kMillisecond)) time = *absolute;
      if (const auto delta = scaled(table.at(row, 2), kMillisecond)) time += *delta;
      const json::value& stack = table.at(row, 0);
      if (stack.is_null()) continue;  // a pause of the thread or of the profiler
      const auto node = row_of(stack, nodes_.size());
      if (!node) return broken("has a sample whose stack is not in the table");
      const json::value& weight = table.at(row, 3);
      const double unit = are_bytes ? 1 : are_times ? kMillisecond : meaning_.interval;
      const std::int64_t value =
          weight.is_null() ? std::llround(unit) : scaled(weight, unit).value_or(0);
      const bool is_count = !are_bytes && !are_times && !weight.is_null();
      const std::int64_t count = is_count ? scaled(weight, 1).value_or(0) : 1;
      const std::int64_t cpu = scaled(table.at(row, 4), meaning_.cpu_unit).value_or(0);
      sink.add(time, nodes_[*node], std::array{value, count, cpu});
      threads_.saw(thread, time, time + (are_bytes ? 0 : value));
    }
    sink.finish();
    return {};
  }

  Detail detail_;
  ProfileBuilder builder_;
  ForeignThreads threads_{builder_};
  SampleMeaning meaning_;
  const json::object* shared_ = nullptr;
  // What was read last: the tables of the thread, or of all that share these.
  const json::object* shared_tables_ = nullptr;
  const json::array* strings_ = nullptr;
  std::vector<Frame> frames_;
  std::vector<NodeId> nodes_;  // by stack
  std::size_t thread_number_ = 0;
  std::uint64_t markers_ = 0;
};

}  // namespace

Result<Profile> load_firefox(const json::object& file, Detail detail) {
  return FirefoxLoader(detail).load(file);
}

}  // namespace pyrometer
