#include "load/callgrind.h"

#include <algorithm>
#include <cctype>

#include "profile/builder.h"
#include "profile/estimated_paths.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostEstimatedNodes = 50'000;
constexpr std::size_t kMostModules = 8192;

struct EventUnit {
  Unit unit = Unit::kCount;
  std::int64_t factor = 1;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Most events are counts. Times are told by their names: "ns : Nanoseconds" (pyprof2calltree),
// "Time_(10ns)" (xdebug), and yappi's ticks, which are microseconds.
EventUnit unit_of(const CallgrindFile::Event& event, std::string_view creator) {
  const std::string name = lower(event.name);
  const std::string words = name + " " + lower(event.long_name);
  const auto says = [&](std::string_view word) { return words.find(word) != std::string::npos; };
  if (says("nanosecond") || name == "ns" || name.ends_with("_ns") || name.ends_with("(ns)")) {
    return {Unit::kNanoseconds, 1};
  }
  if (says("(10ns)")) return {Unit::kNanoseconds, 10};
  if (says("microsecond") || name == "us" || name.ends_with("_us") || name.ends_with("(us)") ||
      name.ends_with("(µs)") || (name == "ticks" && lower(creator).starts_with("yappi"))) {
    return {Unit::kNanoseconds, 1'000};
  }
  if (says("millisecond") || name == "ms") return {Unit::kNanoseconds, 1'000'000};
  if (says("bytes")) return {Unit::kBytes, 1};
  return {};
}

class CallgrindLoader {
 public:
  explicit CallgrindLoader(const CallgrindFile& file) : file_(file) {}

  Profile load() {
    Process process{.pid = file_.pid};
    if (!file_.command.empty()) process.attributes.emplace_back("command", file_.command);
    process_ = builder_.add_process(std::move(process));
    thread_ = builder_.add_thread({.process = process_, .name = builder_.string("main")});
    for (const CallgrindFile::Function& function : file_.functions) add_function(function);
    // Before the calls, as the first metric is what views start from.
    for (const CallgrindFile::Event& event : file_.events) add_metric(event);
    add_calls();
    for (std::size_t event = 0; event < file_.events.size(); ++event) add_event(event);
    return builder_.finish();
  }

 private:
  void add_function(const CallgrindFile::Function& said) {
    const std::string& file = file_.texts[said.file];
    const std::string& name = file_.texts[said.name];
    const bool is_python = file.ends_with(".py") || (file.starts_with('<') && file.ends_with('>'));
    const bool is_builtin = file == "~";
    const std::string& object = file_.texts[said.object];
    functions_.push_back(
        builder_.function({.kind = is_python    ? FunctionKind::kPython
                                   : is_builtin ? FunctionKind::kBuiltin
                                                : FunctionKind::kNative,
                           .name = name.empty() ? "?" : name,
                           .qualified_name = name.empty() ? "?" : name,
                           .file = file == "???" ? "" : file,
                           .short_file = file == "???" ? "" : module_relative(file, {}),
                           .first_line = is_python ? said.first_line : 0,
                           .module = object.empty() ? ModuleId::none() : module(said.object)}));
  }

  // More libraries than any process has are left unsaid: finding them takes time.
  ModuleId module(std::uint32_t object) {
    modules_.resize(file_.texts.size());
    if (modules_[object].is_none() && builder_.profile().modules.size() < kMostModules) {
      modules_[object] = builder_.module(file_.texts[object], "");
    }
    return modules_[object];
  }

  void add_calls() {
    const MetricId calls = builder_.metric({std::string(metric::kCalls)});
    const MetricId primitive_calls = builder_.metric({std::string(metric::kPrimitiveCalls)});
    is_called_.resize(file_.functions.size());
    for (const CallgrindFile::Call& call : file_.calls) {
      const FunctionId caller = functions_[call.caller];
      const FunctionId callee = functions_[call.callee];
      const bool is_recursive = call.caller == call.callee;
      if (!is_recursive) is_called_[call.callee] = true;
      const std::int64_t primitive = is_recursive ? 0 : call.calls;
      for (const FunctionId from : {FunctionId::none(), caller}) {
        builder_.add_flat({thread_, calls, from, callee, call.calls, call.calls});
        builder_.add_flat({thread_, primitive_calls, from, callee, primitive, primitive});
      }
    }
  }

  // One event: what functions cost by themselves and with what they call, the calls, the lines.
  void add_event(std::size_t event) {
    const EventUnit unit = unit_of(file_.events[event], file_.creator);
    const MetricId metric = metrics_[event];
    FlatCallGraph graph;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      graph.functions.push_back({functions_[i], 0, 0, !is_called_[i]});
    }
    std::int64_t whole = 0;
    for (std::size_t i = 0; i < file_.lines.size(); ++i) {
      const auto [function, line] = file_.lines[i];
      const std::int64_t cost = file_.costs_of_line(i)[event] * unit.factor;
      graph.functions[function].self += cost;
      whole += cost;
      if (line != 0 && cost != 0) {
        builder_.add_line({thread_, metric, functions_[function], line, cost});
      }
    }
    // Sums of hostile numbers may have wrapped.
    for (auto& function : graph.functions) {
      function.self = std::max<std::int64_t>(0, function.self);
      function.total = function.self;
    }
    whole = std::max<std::int64_t>(0, whole);
    for (std::size_t i = 0; i < file_.calls.size(); ++i) {
      const CallgrindFile::Call& call = file_.calls[i];
      const std::int64_t cost = file_.costs_of_call(i)[event] * unit.factor;
      builder_.add_flat({thread_, metric, functions_[call.caller], functions_[call.callee], 0,
                         std::min(cost, whole)});
      if (call.caller == call.callee) continue;
      graph.functions[call.caller].total += cost;
      if (cost > 0) graph.edges.push_back({call.caller, call.callee, static_cast<double>(cost)});
    }
    for (auto& function : graph.functions) {
      // Functions that call each other count what they do for each other again and again.
      function.total = std::clamp(function.total, function.self, std::max(whole, function.self));
      builder_.add_flat(
          {thread_, metric, FunctionId::none(), function.id, function.self, function.total});
    }
    add_estimated_paths(builder_, thread_, metric, graph, kMostEstimatedNodes);
    std::int64_t& duration = builder_.profile().processes[process_.row()].duration;
    if (unit.unit == Unit::kNanoseconds) duration = std::max(duration, whole);
  }

  // Our own export calls times "cpu_ns"; the first time of other tools is what views start from.
  void add_metric(const CallgrindFile::Event& event) {
    const EventUnit unit = unit_of(event, file_.creator);
    constexpr std::string_view kOurEnding = "_ns";
    const bool is_time = unit.unit == Unit::kNanoseconds;
    std::string name = event.name;
    if (is_time && name.size() > kOurEnding.size() && name.ends_with(kOurEnding)) {
      name.resize(name.size() - kOurEnding.size());
    } else if (is_time && !builder_.profile().find_metric(metric::kWall)) {
      name = metric::kWall;
    }
    if (is_taken(name)) name += " event";
    metrics_.push_back(builder_.metric({name, unit.unit}));
  }

  // Means something else to views, or is the name of another event.
  bool is_taken(std::string_view name) {
    return name == metric::kCalls || name == metric::kPrimitiveCalls ||
           builder_.profile().find_metric(name).has_value();
  }

  const CallgrindFile& file_;
  ProfileBuilder builder_;
  std::vector<MetricId> metrics_;  // by event
  ProcessId process_;
  ThreadId thread_;
  std::vector<FunctionId> functions_;  // by the file's rows
  std::vector<bool> is_called_;
  std::vector<ModuleId> modules_;  // by text
};

}  // namespace

Profile load_callgrind(const CallgrindFile& file) { return CallgrindLoader(file).load(); }

Result<Profile> load_callgrind_bytes(std::string_view bytes) {
  PYROMETER_TRY(const CallgrindFile file, read_callgrind(bytes));
  return load_callgrind(file);
}

}  // namespace pyrometer
