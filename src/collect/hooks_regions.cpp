#include "collect/hooks_regions.h"

#include <utility>

#include "collect/agent.h"
#include "collect/main_module_hook.h"
#include "collect/own_files.h"
#include "collect/python_modules.h"
#include "collect/replaced_function.h"
#include "cpython/python_text.h"
#include "cpython/python_types.h"
#include "timers/region_object.h"

namespace pyrometer {
namespace {

constexpr std::string_view kMain = "__main__";

std::vector<RegionTarget> waiting;  // for their module
std::vector<RegionTarget> in_main;  // of the main module, until it begins
Path functions_file;
ReplacedFunction execute;

void tell(const RegionTarget& target, const std::string& reason) {
  Session* session = current_session();
  if (session == nullptr) return;
  session->message(MessageLevel::kWarning,
                   fmt::format("{} is not timed: {}", target.place(), reason));
}

std::string take_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const Reference owned[] = {Reference::take(type), Reference::take(value),
                             Reference::take(traceback)};
  const Reference text = Reference::take(value != nullptr ? PyObject_Str(value) : nullptr);
  PyErr_Clear();
  return text ? text_of(text.get()) : "it cannot be replaced";
}

bool is_being_imported(PyObject* module) {
  const Reference spec = Reference::take(PyObject_GetAttrString(module, "__spec__"));
  const Reference flag =
      Reference::take(spec ? PyObject_GetAttrString(spec.get(), "_initializing") : nullptr);
  PyErr_Clear();
  return flag && PyObject_IsTrue(flag.get()) == 1;
}

// Of the Python code that wraps functions; borrowed.
PyObject* wrapping_function(const char* name) {
  static PyObject* names = run_own_file(functions_file, "pyrometer._timed_functions");
  return names == nullptr ? nullptr : PyDict_GetItemString(names, name);
}

void note_timed(const RegionTarget& target) {
  if (Session* session = current_session()) {
    session->attribute("timed." + target.place(), target.name);
  }
}

// The function of the target is replaced by one that runs inside the region.
void time_target(const RegionTarget& target, PyObject* module) {
  PyObject* time_attribute = wrapping_function("time_attribute");
  const Reference region = Reference::take(make_region(target.name));
  if (time_attribute == nullptr || !region) return tell(target, take_error());
  const Reference done = Reference::take(
      PyObject_CallFunction(time_attribute, "OOs", region.get(), module, target.function.c_str()));
  done ? note_timed(target) : tell(target, take_error());
}

// What time_definitions() of the Python code gives: the code and the functions it found.
Reference time_definitions(PyObject* code, const std::vector<RegionTarget>& targets) {
  PyObject* function = wrapping_function("time_definitions");
  const Reference regions = Reference::take(PyDict_New());
  if (function == nullptr || !regions) return {};
  for (const RegionTarget& target : targets) {
    const Reference region = Reference::take(make_region(target.name));
    if (!region ||
        PyDict_SetItemString(regions.get(), target.function.c_str(), region.get()) != 0) {
      return {};
    }
  }
  return Reference::take(PyObject_CallFunction(function, "OO", code, regions.get()));
}

// Code of the main module (owned) whose functions are timed from their definitions on; nullptr: it
// stays as it is. Leaves no Python error.
PyObject* timed_main_module(PyObject* code) {
  const KeptError kept;
  const std::vector<RegionTarget> targets = std::exchange(in_main, {});
  if (targets.empty()) return nullptr;
  const Reference timed = time_definitions(code, targets);
  PyObject* found = timed ? PyTuple_GetItem(timed.get(), 1) : nullptr;  // borrowed
  const std::string fault = found == nullptr ? take_error() : "the script does not define it";
  for (const RegionTarget& target : targets) {
    const Reference name = Reference::take(PyUnicode_FromString(target.function.c_str()));
    const bool is_timed = found != nullptr && name && PySequence_Contains(found, name.get()) == 1;
    is_timed ? note_timed(target) : tell(target, fault);
  }
  PyErr_Clear();
  return found == nullptr ? nullptr : Reference::share(PyTuple_GetItem(timed.get(), 0)).release();
}

// The arguments of exec() (owned) with the timed code of the main module; nullptr: it is another
// one.
PyObject* timed_arguments(PyObject* arguments) {
  const bool is_main = !in_main.empty() && PyTuple_Size(arguments) > 1 &&
                       is_code_object(PyTuple_GetItem(arguments, 0)) &&
                       module_name(PyTuple_GetItem(arguments, 1)) == kMain;
  if (!is_main) return nullptr;
  Reference code = Reference::take(timed_main_module(PyTuple_GetItem(arguments, 0)));
  return code ? arguments_with_code(arguments, std::move(code)) : nullptr;
}

// `complete` has just run to its end; of other modules the interpreter says whether they have.
void look_for_modules(const std::string& complete) {
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  std::erase_if(waiting, [&](const RegionTarget& target) {
    PyObject* module = PyDict_GetItemString(modules, target.module.c_str());  // borrowed
    if (module == nullptr) return false;
    if (target.module != complete && is_being_imported(module)) return false;
    time_target(target, module);
    return true;
  });
  PyErr_Clear();
}

// Every import of a module written in Python ends here; those of others are noticed with the next.
PyObject* call_execute(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* timed = timed_arguments(arguments);
  PyObject* result = timed == nullptr ? execute.call(arguments, keywords)
                                      : execute.call_and_release(timed, keywords);
  if (result != nullptr && !waiting.empty()) {
    const bool has_names = PyTuple_Size(arguments) > 1;
    look_for_modules(has_names ? module_name(PyTuple_GetItem(arguments, 1)) : std::string());
  }
  return result;
}

}  // namespace

void install_region_hooks(std::vector<RegionTarget> targets, const Layout* layout,
                          const Path& file) {
  for (RegionTarget& target : targets) {
    (target.module == kMain ? in_main : waiting).push_back(std::move(target));
  }
  functions_file = file;
  const std::string main_file = OwnFiles::of_this_process().main_file();
  if (!in_main.empty() && layout != nullptr && !main_file.empty()) {
    install_main_module_hook(*layout, main_file, &timed_main_module);
  }
  static PyMethodDef definition = method_definition("exec", &call_execute);
  execute.install("builtins", definition);
  look_for_modules("");
}

}  // namespace pyrometer
