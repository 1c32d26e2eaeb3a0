#include "collect/main_module_hook.h"

#include <dlfcn.h>

#include <ranges>
#include <vector>

#include "base/normal_path.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

struct InnerFrame;
using Evaluate = PyObject* (*)(PyThreadState*, InnerFrame*, int);
using SetEvaluate = void (*)(PyInterpreterState*, Evaluate);

struct Hook {
  Evaluate evaluate = nullptr;  // the interpreter's own
  SetEvaluate set = nullptr;
  Offset code = 0;
  std::uintptr_t code_tag_bits = 0;
  std::string main_file;
  std::vector<ReplaceMainModule> replace;
};
Hook hook;

PyObject* code_of(const InnerFrame* frame) {
  const auto tagged =
      *reinterpret_cast<const std::uintptr_t*>(reinterpret_cast<const char*>(frame) + hook.code);
  return reinterpret_cast<PyObject*>(tagged & ~hook.code_tag_bits);
}

bool is_main_module(PyObject* code) {
  return text_attribute(code, "co_name") == "<module>" &&
         normal_path(text_attribute(code, "co_filename")) == hook.main_file;
}

// From 3.12 on whoever evaluates a frame also clears it, which only evaluating can do: with an
// exception that is thrown in before the first instruction it ends at once.
void discard(PyThreadState* thread, InnerFrame* frame) {
  constexpr unsigned long kFirstThatClears = 0x030C0000;
  if (Py_Version < kFirstThatClears) return;
  const KeptError kept;
  PyErr_SetString(PyExc_SystemExit, "not run");
  PyObject* result = hook.evaluate(thread, frame, 1);
  Py_DecRef(result);
  PyErr_Clear();
}

// The code to run instead (owned), or nullptr.
PyObject* replace_all(PyObject* code) {
  Reference replaced;
  for (const ReplaceMainModule replace : std::views::reverse(hook.replace)) {
    Reference next = Reference::take(replace(replaced ? replaced.get() : code));
    if (next) replaced = std::move(next);
  }
  return replaced.release();
}

PyObject* evaluate(PyThreadState* thread, InnerFrame* frame, int throwing) {
  PyObject* code = code_of(frame);
  if (throwing != 0 || code == nullptr || !is_main_module(code)) {
    return hook.evaluate(thread, frame, throwing);
  }
  hook.set(PyInterpreterState_Get(), hook.evaluate);
  PyObject* replaced = replace_all(code);
  PyObject* module = PyImport_AddModule("__main__");  // borrowed
  PyErr_Clear();
  if (replaced == nullptr || module == nullptr) return hook.evaluate(thread, frame, throwing);
  PyObject* space = PyModule_GetDict(module);  // borrowed
  PyObject* result = PyEval_EvalCode(replaced, space, space);
  Py_DecRef(replaced);
  discard(thread, frame);
  return result;
}

}  // namespace

bool install_main_module_hook(const Layout& layout, const std::string& main_file,
                              ReplaceMainModule replace) {
  hook.evaluate = reinterpret_cast<Evaluate>(dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault"));
  hook.set =
      reinterpret_cast<SetEvaluate>(dlsym(RTLD_DEFAULT, "_PyInterpreterState_SetEvalFrameFunc"));
  if (hook.evaluate == nullptr || hook.set == nullptr) return false;
  hook.code = layout.frame.code;
  hook.code_tag_bits = layout.frame.code_tag_bits;
  hook.main_file = main_file;
  hook.replace.push_back(replace);
  hook.set(PyInterpreterState_Get(), &evaluate);
  return true;
}

}  // namespace pyrometer
