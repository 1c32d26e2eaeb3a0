#include "collect/line_recording.h"

#include <algorithm>
#include <cmath>

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

bool LineRecording::selects(PyObject* code, const std::string& module_name) const {
  const std::string name = text_attribute(code, "co_qualname");
  const std::string file = text_attribute(code, "co_filename");
  const std::string path = own_files_.absolute(file);
  const CodePlace place{module_name, path, name, own_files_.contains(file)};
  if (is_made_up(text_attribute(code, "co_name"))) return false;
  return (!selects_nothing_ && selection_.selects(place)) ||
         (!imports_.is_everything_own() && imports_.selects(place));
}

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
  if (selects(code, module_name)) {
    result = measured(result.get());
    MeasuredFunction* function = measurement_.function_of(result.get());
    if (function != nullptr && !selection_.is_everything_own()) function->is_chosen = true;
  }
  return result;
}

PyObject* LineRecording::measured_module(PyObject* code, const std::string& loaded_as) {
  const KeptError kept;
  const std::string module_name = loaded_as == kMainOfChild ? kMain : loaded_as;
  const std::string file = text_attribute(code, "co_filename");
  if (module_name == kMain) {
    own_files_.add_main_module(file, name_of_main_module());
    if (wants_imports_) {
      for (std::string& import : imports_of(code)) imports_.add(std::move(import));
    }
  }
  if (selects_nothing_ && imports_.is_everything_own()) return nullptr;
  if (selection_.is_everything_own() && own_files_.contains(file) && uses_line_decorator(code)) {
    takes_decorated_only_ = true;
  }
  if (selection_.is_everything_own() && imports_.is_everything_own() && takes_decorated_only_) {
    return nullptr;
  }
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
  LineActivations::own().forget();
  measurement_.clear();
  written_.clear();
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
  std::vector<Recorder::LineTotals> rows;
  measurement_.visit([&](const MeasuredFunction& function) {
    if (chosen_only && !function.is_chosen) return;
    std::uint32_t record = UINT32_MAX;
    for (const MeasuredLine& line : function.lines) {
      const std::int64_t hits = line.hits.get();
      if (hits == 0) continue;
      const auto unfinished = open.find(&line);
      const std::int64_t time =
          line.time.get() + (unfinished == open.end() ? 0 : unfinished->second);
      Written& written = written_[&line];
      if (written.hits == hits && written.time == time) continue;
      written = {hits, time};
      if (record == UINT32_MAX) record = record_of(function, recorder);
      rows.push_back({record, line.line, hits, nanoseconds(time), nanoseconds(line.self()),
                      line.returns.get()});
    }
  });
  if (!rows.empty()) recorder.line_totals(now, rows);
  write_engines(recorder);
}

std::uint32_t LineRecording::record_of(const MeasuredFunction& function, Recorder& recorder) {
  if (function.engine != LineEngine::kRewritten && told_.insert(&function).second) {
    engines_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", function.file, function.first_line,
                            function.qualified_name, name_of(function.engine), function.reason);
    has_new_engines_ = true;
  }
  return recorder.define_function({.is_python = true,
                                   .name = function.name,
                                   .qualified_name = function.qualified_name,
                                   .file = own_files_.absolute(function.file),
                                   .first_line = function.first_line});
}

void LineRecording::write_engines(Recorder& recorder) {
  if (has_new_engines_) recorder.attribute("lines.engines", engines_);
  has_new_engines_ = false;
}

}  // namespace pyrometer
