#include "exact/evaluation_hook.h"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "exact/call_counter.h"
#include "exact/profile_function.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

// 3.11's inner frame, beside the limited API.
constexpr std::size_t kCode = 32, kOwner = 69;
constexpr char kOwnedByGenerator = 1;
constexpr std::size_t kFlagsOfCode = 48;

struct InnerFrame;
using Evaluate = PyObject* (*)(PyThreadState*, InnerFrame*, int);
using SetEvaluate = void (*)(PyInterpreterState*, Evaluate);

Evaluate evaluate_default = nullptr;
std::vector<PyThreadState*> users;  // threads that count this way
// Frames that began under an earlier hook end without us.
unsigned generation = 0;

bool stack_is_short() {
  constexpr std::uintptr_t kEnough = 512U << 10U;  // for libraries that need some themselves
  thread_local const std::uintptr_t limit = own_stack().low + kEnough;
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
}

const char* at(const InnerFrame* frame, std::size_t offset) {
  return reinterpret_cast<const char*>(frame) + offset;
}

// A generator is made by a frame of its own function, which is no call yet.
bool only_makes_generator(const InnerFrame* frame, const PyObject* code) {
  constexpr int kGeneratorFlags = 0x20 | 0x80 | 0x200;  // generators, coroutines, both
  const int flags =
      *reinterpret_cast<const int*>(reinterpret_cast<const char*>(code) + kFlagsOfCode);
  return (flags & kGeneratorFlags) != 0 && *at(frame, kOwner) != kOwnedByGenerator;
}

void set_evaluation(Evaluate evaluate) {
  static const auto set =
      reinterpret_cast<SetEvaluate>(dlsym(RTLD_DEFAULT, "_PyInterpreterState_SetEvalFrameFunc"));
  ++generation;
  set(PyInterpreterState_Get(), evaluate);
}

void hand_over_to_profile_function() {
  set_evaluation(evaluate_default);
  for (PyThreadState* user : users) set_profile_function_of(user);
  users.clear();
}

PyObject* evaluate(PyThreadState* state, InnerFrame* frame, int throwing) {
  if (stack_is_short()) [[unlikely]] {
    hand_over_to_profile_function();
    return evaluate_default(state, frame, throwing);
  }
  CallCounter* counter = own_counters[static_cast<std::size_t>(CounterUser::kProfiler)];
  PyObject* code = *reinterpret_cast<PyObject* const*>(at(frame, kCode));
  if (counter == nullptr || only_makes_generator(frame, code)) {
    return evaluate_default(state, frame, throwing);
  }
  const unsigned own_generation = generation;
  counter->python_call(code);
  PyObject* result = evaluate_default(state, frame, throwing);
  counter = own_counters[static_cast<std::size_t>(CounterUser::kProfiler)];
  if (counter != nullptr && generation == own_generation) counter->python_return(code);
  return result;
}

// Whether frames and code are laid out as we know them: `co_flags` of a known function.
bool can_read_flags() {
  const Reference code = Reference::take(Py_CompileString("0", "", Py_file_input));
  const Reference flags =
      Reference::take(code ? PyObject_GetAttrString(code.get(), "co_flags") : nullptr);
  PyErr_Clear();
  if (!flags) return false;
  const auto* bytes = reinterpret_cast<const char*>(code.get());
  return *reinterpret_cast<const int*>(bytes + kFlagsOfCode) == PyLong_AsLong(flags.get());
}

}  // namespace

bool start_evaluation_hook() {
  static const bool can_hook = [] {
    evaluate_default = reinterpret_cast<Evaluate>(dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault"));
    return evaluate_default != nullptr && can_read_flags() &&
           dlsym(RTLD_DEFAULT, "_PyInterpreterState_SetEvalFrameFunc") != nullptr;
  }();
  if (!can_hook || stack_is_short()) return false;
  if (users.empty()) set_evaluation(&evaluate);
  users.push_back(PyThreadState_Get());
  return true;
}

bool stop_evaluation_hook() {
  const auto own = std::find(users.begin(), users.end(), PyThreadState_Get());
  if (own == users.end()) return false;
  users.erase(own);
  if (users.empty()) set_evaluation(evaluate_default);
  return true;
}

}  // namespace pyrometer
