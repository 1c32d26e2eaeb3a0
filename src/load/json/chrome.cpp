// The trace events of Chrome, as VizTracer, py-spy, PyTorch and our own export write them: whole
// calls (X) or their beginnings (B) and ends (E), by process and thread, in microseconds.
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cctype>
#include <set>

#include "formats/json_values.h"
#include "load/json/call_spans.h"
#include "load/json/foreign_frame.h"
#include "load/json/foreign_threads.h"
#include "load/json/json_formats.h"

namespace pyrometer {
namespace {

constexpr double kMicrosecond = 1e3;

class ChromeLoader {
 public:
  explicit ChromeLoader(Detail detail) : detail_(detail) {}

  Result<Profile> load(const json::array& events) {
    for (const json::value& value : events) {
      const json::object* event = value.if_object();
      // Viewers skip what they cannot read, and tools count on that.
      if (event == nullptr) {
        ++broken_;
        continue;
      }
      PYROMETER_TRY_VOID(read_event(*event));
    }
    for (std::size_t row = 0; row < spans_.size(); ++row) finish_thread(row);
    if (!has_calls_) {
      return fail(ErrorCode::kUnsupported,
                  "this trace has no calls (events B, E or X) that could be a profile");
    }
    give_names();
    add_notes();
    builder_.profile().is_sampled = is_sampled_;
    return builder_.finish();
  }

 private:
  struct Spans {
    std::vector<CallSpan> whole;
    std::vector<SpanEdge> edges;
  };

  Result<void> read_event(const json::object& event) {
    const std::string_view phase = text_in(event, "ph");
    if (phase == "M") {
      names_.push_back(&event);
      return {};
    }
    if (phase != "X" && phase != "B" && phase != "E") {
      const bool is_letter =
          phase.size() == 1 && std::isalpha(static_cast<unsigned char>(phase[0]));
      left_out_.emplace(is_letter ? phase : "?");
      ++left_out_count_;
      return {};
    }
    const auto start = scaled_in(event, "ts", kMicrosecond);
    if (!start) {
      ++broken_;
      return {};
    }
    PYROMETER_TRY(const ThreadId thread, thread_of(event));
    Spans& spans = spans_of(thread);
    if (phase == "X") {
      // Without a duration it never ended, or took no time at all.
      const json::value* length = member_of(event, "dur");
      const auto duration = length == nullptr ? 0 : scaled(*length, kMicrosecond);
      if (!duration || *duration < 0) {
        ++broken_;
        return {};
      }
      const ForeignFunction called = function_of(event);
      spans.whole.push_back({.start = *start,
                             .end = *start + *duration,
                             .function = called.function,
                             .line = called.line});
      return {};
    }
    const std::string_view name = text_in(event, "name");
    SpanEdge edge{.time = *start,
                  .name = name.empty() ? StringId::none() : builder_.string(name),
                  .opens = phase == "B"};
    if (edge.opens) {
      const ForeignFunction called = function_of(event);
      edge.function = called.function;
      edge.line = called.line;
      edge.name = builder_.string(name);
    }
    spans.edges.push_back(edge);
    return {};
  }

  struct ForeignFunction {
    FunctionId function;
    std::uint32_t line = 0;
  };

  ForeignFunction function_of(const json::object& event) {
    const std::string_view name = text_in(event, "name");
    const std::string_view category = text_in(event, "cat");
    if (category == "py-spy") {
      is_sampled_ = true;
      const json::object* arguments = object_in(event, "args");
      if (arguments == nullptr) return {foreign_function(builder_, name, "", 0)};
      return {foreign_function(builder_, name, text_in(*arguments, "filename"), 0),
              line_in(*arguments, "line")};
    }
    ForeignFrame frame = split_frame(name);
    // Our own export keeps the place in the category.
    if (frame.file.empty()) {
      const ForeignFrame place = split_place(category);
      frame.file = place.file;
      frame.line = place.line;
    }
    const bool is_builtin =
        (category == "FEE" || category == "fee") && frame.file.empty();  // VizTracer
    if (!is_builtin) return {foreign_function(builder_, frame.name, frame.file, frame.line)};
    return {builder_.function(
        {.kind = FunctionKind::kBuiltin, .name = frame.name, .qualified_name = frame.name})};
  }

  Result<ThreadId> thread_of(const json::object& event) {
    const json::value* process = member_of(event, "pid");
    const json::value* thread = member_of(event, "tid");
    static const json::value missing(nullptr);
    if (process == nullptr) process = &missing;
    if (thread == nullptr) thread = &missing;
    // Most events are of the thread of the one before.
    if (last_thread_ && *process == *last_pid_ && *thread == *last_tid_) return *last_thread_;
    PYROMETER_TRY(last_thread_, threads_.thread(label_of(*process), label_of(*thread)));
    last_pid_ = process;
    last_tid_ = thread;
    return *last_thread_;
  }

  Spans& spans_of(ThreadId thread) {
    if (thread.row() >= spans_.size()) spans_.resize(thread.row() + std::size_t{1});
    return spans_[thread.row()];
  }

  // Names are given once all is read: what they name may have no calls.
  void give_names() {
    for (const json::object* event : names_) {
      const std::string_view kind = text_in(*event, "name");
      const json::object* arguments = object_in(*event, "args");
      const std::string_view name =
          arguments == nullptr ? std::string_view() : text_in(*arguments, "name");
      const std::string process = label_in(*event, "pid");
      if (name.empty()) continue;
      if (kind == "thread_name") {
        const auto thread = threads_.find_thread(process, label_in(*event, "tid"));
        if (thread) threads_.set_name(*thread, name);
      } else if (kind == "process_name") {
        if (const auto id = threads_.find_process(process)) name_process(*id, name);
      }
    }
  }

  // "rank 3, process 12 on node7" of our own export says more than a name.
  void name_process(ProcessId id, std::string_view name) {
    Process& process = builder_.profile().processes[id.row()];
    constexpr std::string_view kRank = "rank ";
    const std::size_t comma = name.find(", process ");
    if (name.starts_with(kRank) && comma != std::string_view::npos) {
      process.rank = static_cast<std::int64_t>(number_of_label(name.substr(kRank.size())));
      name.remove_prefix(comma + 2);
    }
    const std::string own_name = fmt::format("process {} on ", process.pid);
    if (name.starts_with(own_name)) process.host = name.substr(own_name.size());
  }

  void finish_thread(std::size_t row) {
    Spans& spans = spans_[row];
    const ThreadId thread = ThreadId::from_index(row);
    const bool from_edges = spans.whole.empty();
    const std::vector<CallSpan> matched = match_edges(std::move(spans.edges), unmatched_);
    std::vector<CallSpan> all = std::move(spans.whole);
    all.insert(all.end(), matched.begin(), matched.end());
    if (all.empty()) return;
    has_calls_ = true;
    const MetricId wall = builder_.metric({std::string(metric::kWall), Unit::kNanoseconds});
    std::optional<MetricId> calls;
    // A sampler's spans are what it saw between two looks, not calls.
    if (!is_sampled_) calls = builder_.metric({std::string(metric::kCalls)});
    NestedCalls nested = CallNester(builder_, wall, calls).nest(thread, std::move(all), from_edges);
    shortened_ += nested.shortened;
    for (const CallTrack::Call& call : nested.track.calls) {
      threads_.saw(thread, call.start, call.start + call.duration);
    }
    if (detail_ == Detail::kEverything) {
      builder_.profile().calls.push_back(std::move(nested.track));
    }
  }

  void note(std::uint64_t count, std::string_view what) {
    if (count != 0) builder_.profile().notes.push_back(fmt::format("{} {}", count, what));
  }

  void add_notes() {
    note(broken_, "events without a sound time were left out");
    note(unmatched_, "calls have only a beginning or only an end in this trace");
    note(shortened_, "calls end after their caller in this trace; they were shortened");
    note(left_out_count_,
         fmt::format("events that are not calls ({}) were left out", fmt::join(left_out_, ", ")));
  }

  Detail detail_;
  ProfileBuilder builder_;
  ForeignThreads threads_{builder_};
  std::vector<Spans> spans_;                // by thread
  std::vector<const json::object*> names_;  // events that name processes and threads
  std::optional<ThreadId> last_thread_;
  const json::value* last_pid_ = nullptr;
  const json::value* last_tid_ = nullptr;
  bool is_sampled_ = false;
  bool has_calls_ = false;
  std::uint64_t broken_ = 0;
  std::uint64_t unmatched_ = 0;
  std::uint64_t shortened_ = 0;
  std::set<std::string> left_out_;  // the kinds of events, one letter each
  std::uint64_t left_out_count_ = 0;
};

}  // namespace

Result<Profile> load_chrome_trace(const json::array& events, Detail detail) {
  return ChromeLoader(detail).load(events);
}

}  // namespace pyrometer
