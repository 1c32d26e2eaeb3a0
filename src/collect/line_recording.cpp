#include "collect/line_recording.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cpython/python_text.h"
#include "lines/decorator_use.h"
#include "lines/line_activations.h"
#include "os/cycle_counter.h"

namespace pyrometer {
namespace {

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
      waits_for_hot_(options.hot) {}

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
  const Reference constants = Reference::take(PyObject_GetAttrString(code, "co_consts"));
  Reference result = Reference::share(code);
  if (!constants) return result;
  const Py_ssize_t count = PyTuple_Size(constants.get());
  const Reference changed = Reference::take(PyTuple_New(count));
  if (!changed) return result;
  bool has_changed = false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* constant = PyTuple_GetItem(constants.get(), i);  // borrowed
    Reference kept = Py_TYPE(constant) == Py_TYPE(code) ? measured_tree(constant, module_name)
                                                        : Reference::share(constant);
    has_changed |= kept.get() != constant;
    PyTuple_SetItem(changed.get(), i, kept.release());
  }
  if (has_changed) {
    const Reference replace = Reference::take(PyObject_GetAttrString(code, "replace"));
    const Reference nothing = Reference::take(PyTuple_New(0));
    const Reference changes = Reference::take(Py_BuildValue("{s:O}", "co_consts", changed.get()));
    Reference replaced = Reference::take(
        replace && nothing && changes ? PyObject_Call(replace.get(), nothing.get(), changes.get())
                                      : nullptr);
    if (replaced) result = std::move(replaced);
  }
  if (is_made_up(text_attribute(code, "co_name"))) return result;
  const std::string name = text_attribute(code, "co_qualname");
  const std::string file = text_attribute(code, "co_filename");
  const std::string path = own_files_.absolute(file);
  const CodePlace place{module_name, path, name, own_files_.contains(file)};
  const bool is_imported = imports_ && imports_->selects(place);
  if (!is_imported && !(selects_modules() && selection_.selects(place))) return result;
  result = measured(result.get());
  MeasuredFunction* function = measurement_.function_of(result.get());
  const bool is_named = is_imported || !selection_.is_everything_own();
  if (function != nullptr && is_named) function->is_chosen = true;
  return result;
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
  records_.clear();
  engines_.clear();
}

void LineRecording::write(Recorder& recorder, std::int64_t now) {
  const CycleCounter& clock = CycleCounter::own();
  const double scale = clock.nanoseconds_per_count();
  const std::uint64_t count_now = clock.read();
  std::unordered_map<const MeasuredLine*, std::int64_t> open;
  LineActivations::visit_open([&](const MeasuredLine& line, std::uint64_t since) {
    if (since < count_now) open[&line] += static_cast<std::int64_t>(count_now - since);
  });
  const auto nanoseconds = [&](std::int64_t counts) {
    return std::max<std::int64_t>(0, std::llround(static_cast<double>(counts) * scale));
  };
  const bool chosen_only = takes_decorated_only_;
  // Code that was made more than once, as of a module that is loaded again, is one function.
  std::map<Position, Recorder::LineTotals> totals;
  std::map<Position, std::int64_t> times;  // in counts
  measurement_.visit([&](const MeasuredFunction& function) {
    if (chosen_only && !function.is_chosen) return;
    for (const MeasuredLine& line : function.lines) {
      if (line.hits.get() == 0) continue;
      const Position position{record_of(function, recorder), line.line};
      const auto unfinished = open.find(&line);
      times[position] += line.time.get() + (unfinished == open.end() ? 0 : unfinished->second);
      Recorder::LineTotals& sum = totals[position];
      sum.hits += line.hits.get();
      sum.self += nanoseconds(line.self());
      sum.returns += line.returns.get();
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
  if (!rows.empty()) recorder.line_totals(now, rows);
  write_engines(recorder);
}

std::uint32_t LineRecording::record_of(const MeasuredFunction& function, Recorder& recorder) {
  const auto [known, is_new] = records_.try_emplace(&function, 0);
  if (!is_new) return known->second;
  if (function.engine != LineEngine::kRewritten) {
    engines_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", function.file, function.first_line,
                            function.qualified_name, name_of(function.engine), function.reason);
    has_new_engines_ = true;
  }
  known->second = recorder.define_function({.is_python = true,
                                            .name = function.name,
                                            .qualified_name = function.qualified_name,
                                            .file = own_files_.absolute(function.file),
                                            .first_line = function.first_line,
                                            .first_column = function.first_column});
  return known->second;
}

void LineRecording::write_engines(Recorder& recorder) {
  if (has_new_engines_) recorder.attribute("lines.engines", engines_);
  has_new_engines_ = false;
}

}  // namespace pyrometer
