#include "collect/line_recording.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cpython/python_text.h"
#include "lines/code_constants.h"
#include "lines/decorator_use.h"
#include "lines/line_activations.h"
#include "os/clocks.h"
#include "os/cycle_counter.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMostBytes = 6'000'000;  // of the recording, before compression
constexpr const char* kMain = "__main__";
constexpr const char* kMainOfChild = "__mp_main__";  // as multiprocessing loads it in its children

// What the compiler makes up, which nobody wrote.
bool is_made_up(const std::string& name) {
  return name == "__annotate__" || name.starts_with("<generic parameters of");
}

std::string name_of_main_module() {
  PyObject* modules = PyImport_GetModuleDict();           // borrowed
  PyObject* main = PyDict_GetItemString(modules, kMain);  // borrowed
  const Reference spec =
      Reference::take(main == nullptr ? nullptr : PyObject_GetAttrString(main, "__spec__"));
  PyErr_Clear();
  return spec ? text_attribute(spec.get(), "name") : std::string();
}

const char* name_of(LineEngine engine) {
  return engine == LineEngine::kEvents ? "events" : "trace function";
}

}  // namespace

LineRecording::LineRecording(const Options& options)
    : selection_(options.targets),
      own_files_(OwnFiles::of_this_process()),
      wants_imports_(options.with_imports),
      selects_nothing_(options.hot && options.targets.empty()),
      waits_for_hot_(options.hot),
      will_stop_(options.will_stop),
      pace_(monotonic_now(), kMostBytes) {}

Reference LineRecording::measured(PyObject* code) {
  auto rewritten = measurement_.rewrite(code);
  if (!rewritten) {
    // What no engine can measure has no rows, which says it.
    (void)measurement_.watch(code, rewritten.error().message);
    return Reference::share(code);
  }
  return *std::move(rewritten);
}

// Functions are made from the constants of the code around them.
Reference LineRecording::measured_tree(PyObject* code, const std::string& module_name) {
  Reference result =
      with_changed_codes(code, [&](PyObject* inner) { return measured_tree(inner, module_name); });
  const Wish wish = wish_for(code, module_name);
  if (wish != Wish::kNone) {
    result = measured(result.get());
    MeasuredFunction* function = measurement_.function_of(result.get());
    if (function != nullptr && wish == Wish::kNamed) function->is_chosen = true;
  }
  remember_original(result.get(), code);
  return result;
}

LineRecording::Wish LineRecording::wish_for(PyObject* code, const std::string& module_name) const {
  if (is_made_up(text_attribute(code, "co_name"))) return Wish::kNone;
  const std::string name = text_attribute(code, "co_qualname");
  const std::string file = text_attribute(code, "co_filename");
  const std::string path = own_files_.absolute(file);
  const CodePlace place{module_name, path, name, own_files_.contains(file)};
  const bool is_imported = imports_ && imports_->selects(place);
  if (!is_imported && !(selects_modules() && selection_.selects(place))) return Wish::kNone;
  return is_imported || !selection_.is_everything_own() ? Wish::kNamed : Wish::kOwn;
}

void LineRecording::select_imports_of(PyObject* code) {
  std::vector<std::string> imports = imports_of(code);
  if (!imports.empty()) imports_.emplace(std::move(imports));
}

PyObject* LineRecording::measured_module(PyObject* code, const std::string& loaded_as) {
  const KeptError kept;
  const std::string module_name = loaded_as == kMainOfChild ? kMain : loaded_as;
  const std::string file = text_attribute(code, "co_filename");
  if (module_name == kMain) {
    own_files_.add_main_module(file, name_of_main_module());
    if (wants_imports_) select_imports_of(code);
  }
  if (selection_.is_everything_own() && own_files_.contains(file) && uses_line_decorator(code)) {
    takes_decorated_only_ = true;
  }
  if (!selects_modules() && !imports_) return nullptr;
  Reference tree = measured_tree(code, module_name);
  PyErr_Clear();
  return tree.get() == code ? nullptr : tree.release();
}

Result<void> LineRecording::decorate(PyObject* function) {
  const KeptError kept;
  const Reference code = Reference::take(PyObject_GetAttrString(function, "__code__"));
  PyErr_Clear();
  if (!code) return fail(ErrorCode::kUnsupported, "it has no Python code");
  const Reference rewritten = measured(code.get());
  remember_original(rewritten.get(), code.get());
  if (PyObject_SetAttrString(function, "__code__", rewritten.get()) != 0) PyErr_Clear();
  if (MeasuredFunction* known = measurement_.function_of(rewritten.get())) known->is_chosen = true;
  takes_decorated_only_ = true;
  return {};
}

void LineRecording::watch(PyObject* code) {
  const KeptError kept;
  (void)measurement_.watch(code, "it was running when measuring began");
  if (MeasuredFunction* known = measurement_.function_of(code)) known->is_chosen = true;
}

void LineRecording::restart_after_fork() {
  LineActivations::restart_after_fork();
  measurement_.clear();
  // The child's recording knows nothing yet.
  written_.clear();
  written_memory_.clear();
  records_.clear();
  engines_.clear();
  pace_ = WritePace(monotonic_now(), kMostBytes);
  is_paused_ = false;
  at_pause_.clear();
  left_out_.clear();
}

void LineRecording::write(Recorder& recorder, std::int64_t now, bool is_last) {
  if (!pace_.is_due(now) && !is_last) return;
  std::size_t bytes = write_times(recorder, now);
  if (LineActivations::measures_memory()) bytes += write_memory(recorder, now);
  pace_.wrote(now, bytes, 0);
  write_engines(recorder);
}

std::size_t LineRecording::write_times(Recorder& recorder, std::int64_t now) {
  const double scale = CycleCounter::own().nanoseconds_per_count();
  const auto nanoseconds = [&](std::int64_t counts) {
    return std::max<std::int64_t>(0, std::llround(static_cast<double>(counts) * scale));
  };
  const bool chosen_only = takes_decorated_only_;
  // Code that was made more than once, as of a module that is loaded again, is one function.
  std::map<Position, Recorder::LineTotals> totals;
  std::map<Position, std::int64_t> times;  // in counts
  const FiguresOfLines all = is_paused_ ? at_pause_ : seen();
  measurement_.visit([&](const MeasuredFunction& function) {
    if (chosen_only && !function.is_chosen) return;
    for (const MeasuredLine& line : function.lines) {
      const auto now_seen = all.find(&line);
      if (now_seen == all.end()) continue;
      const auto before = left_out_.find(&line);
      const Figures figures =
          before == left_out_.end() ? now_seen->second : now_seen->second - before->second;
      if (figures.is_nothing()) continue;
      const Position position{record_of(function, recorder), line.line};
      times[position] += figures.time;
      Recorder::LineTotals& sum = totals[position];
      sum.hits += figures.hits;
      sum.self += nanoseconds(figures.self);
      sum.returns += figures.returns;
    }
  });
  std::vector<Recorder::LineTotals> rows;
  for (auto& [position, sum] : totals) {
    const Written now_known{sum.hits, times[position]};
    if (std::exchange(written_[position], now_known) == now_known) continue;
    std::tie(sum.function, sum.line) = position;
    sum.time = nanoseconds(now_known.time);
    rows.push_back(sum);
  }
  return rows.empty() ? 0 : recorder.line_totals(now, rows);
}

std::size_t LineRecording::write_memory(Recorder& recorder, std::int64_t now) {
  const bool chosen_only = takes_decorated_only_;
  std::map<Position, Recorder::LineMemoryTotals> totals;
  measurement_.visit([&](const MeasuredFunction& function) {
    if (chosen_only && !function.is_chosen) return;
    const std::uint32_t record = record_of(function, recorder);
    const auto add = [&](std::uint32_t line, const LineMemory& memory) {
      Recorder::LineMemoryTotals& sum = totals[{record, line}];
      sum.level = std::max(sum.level, memory.level.get());
      sum.peak = std::max(sum.peak, memory.peak.get());
      sum.increment += memory.increment.get();
      sum.temporary += memory.temporary.get();
    };
    const bool was_called = function.prologue.memory && function.prologue.memory->level.get() > 0;
    if (was_called) add(function.first_line, *function.prologue.memory);
    for (const MeasuredLine& line : function.lines) {
      if (line.memory && line.hits.get() != 0) add(line.line, *line.memory);
    }
  });
  std::vector<Recorder::LineMemoryTotals> rows;
  for (auto& [position, sum] : totals) {
    std::tie(sum.function, sum.line) = position;
    if (std::exchange(written_memory_[position], sum) != sum) rows.push_back(sum);
  }
  return rows.empty() ? 0 : recorder.line_memory(now, rows);
}

std::uint32_t LineRecording::record_of(const MeasuredFunction& function, Recorder& recorder) {
  const auto [known, is_new] = records_.try_emplace(&function, 0);
  if (!is_new) return known->second;
  const std::string file = own_files_.absolute(function.file);
  if (function.engine != LineEngine::kRewritten) {
    engines_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", file, function.first_line,
                            function.qualified_name, name_of(function.engine), function.reason);
    has_new_engines_ = true;
  }
  known->second = recorder.define_function({.is_python = true,
                                            .name = function.name,
                                            .qualified_name = function.qualified_name,
                                            .file = file,
                                            .first_line = function.first_line,
                                            .first_column = function.first_column});
  return known->second;
}

void LineRecording::write_engines(Recorder& recorder) {
  if (has_new_engines_) recorder.attribute("lines.engines", engines_);
  has_new_engines_ = false;
}

}  // namespace pyrometer
