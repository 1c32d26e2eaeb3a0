#include "cpython/self_test.h"

#include <pthread.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "cpython/code_object.h"
#include "cpython/memory.h"
#include "cpython/python_api.h"
#include "cpython/python_text.h"
#include "cpython/walk.h"
#include "os/own_thread.h"

namespace pyrometer {
namespace {

Result<std::uintptr_t> type_of_code_objects() {
  const Reference code = Reference::take(Py_CompileString("0", "<pyrometer>", Py_eval_input));
  if (!code) {
    PyErr_Clear();
    return fail(ErrorCode::kUnsupported, "it compiles nothing");
  }
  return load<std::uintptr_t>(reinterpret_cast<const char*>(code.get()), Layout::kObjectType);
}

// A thread state holds pthread's name of its thread and, right behind it, the kernel's.
Result<Offset> find_native_id(std::uintptr_t thread_state) {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  const auto tid = static_cast<std::uint64_t>(own_tid());
  constexpr Offset kSearched = 400;
  const char* at = reinterpret_cast<const char*>(thread_state);
  for (Offset offset = 0; offset < kSearched; offset += 8) {
    if (load<std::uint64_t>(at, offset) == thread && load<std::uint64_t>(at, offset + 8) == tid) {
      return offset + 8;
    }
  }
  return fail(ErrorCode::kUnsupported, "its thread states are not as expected");
}

// Names of files that are no UTF-8 have surrogates, which cannot be encoded: they prove nothing.
bool is_text_of(PyObject* object, const char* name, const ObjectText& text) {
  const Reference value = Reference::take(PyObject_GetAttrString(object, name));
  Py_ssize_t size = 0;
  const char* said = value ? PyUnicode_AsUTF8AndSize(value.get(), &size) : nullptr;
  PyErr_Clear();
  if (said == nullptr) return static_cast<bool>(value);
  const std::string read =
      text_to_utf8({reinterpret_cast<const char*>(text.data), text.size}, text.character_width);
  return read == std::string_view(said, static_cast<std::size_t>(size));
}

bool agrees(const CodeFacts& facts, PyObject* code) {
  return is_text_of(code, "co_name", facts.name) &&
         is_text_of(code, "co_qualname", facts.qualified_name) &&
         is_text_of(code, "co_filename", facts.file) &&
         static_cast<long>(facts.first_line) == number_attribute(code, "co_firstlineno") &&
         std::string_view(reinterpret_cast<const char*>(facts.line_table.data),
                          facts.line_table.size) == bytes_attribute(code, "co_linetable");
}

// `frames` may be the innermost ones of a deep stack.
Result<void> compare(const Layout& layout, std::span<const RawFrame> frames, bool are_all) {
  OwnMemory memory;
  CodeObjectReader reader(memory, layout);
  Reference frame = Reference::share(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  for (const RawFrame& raw : frames) {
    const auto facts = reader.facts(raw.code);
    if (!facts) return fail(ErrorCode::kUnsupported, "its code objects cannot be read");
    if (facts->is_init_shim) continue;
    if (!frame) return fail(ErrorCode::kUnsupported, "a walk of its frames finds too many");
    const Reference code = Reference::take(PyObject_GetAttrString(frame.get(), "f_code"));
    if (reinterpret_cast<std::uintptr_t>(code.get()) != raw.code ||
        number_attribute(frame.get(), "f_lasti") != raw.instruction ||
        !agrees(*facts, code.get())) {
      return fail(ErrorCode::kUnsupported, "a walk of its frames finds others than it says");
    }
    frame = Reference::take(PyObject_GetAttrString(frame.get(), "f_back"));
    if (frame.get() == Py_None) frame = {};
  }
  if (frame && are_all) return fail(ErrorCode::kUnsupported, "a walk of its frames ends too early");
  return {};
}

}  // namespace

Result<Layout> tested_layout(const Symbols& symbols) {
  if (symbols.attached_thread_state == nullptr || symbols.is_finalizing == nullptr) {
    return fail(ErrorCode::kUnsupported, "it does not export what sampling needs");
  }
  PYROMETER_TRY(Layout layout,
                layout_for(symbols.version, {symbols.runtime, symbols.runtime_size}));
  PYROMETER_TRY(layout.code_type, type_of_code_objects());
  const auto thread_state = reinterpret_cast<std::uintptr_t>(symbols.attached_thread_state());
  PYROMETER_TRY(layout.thread.native_id, find_native_id(thread_state));

  const StackBounds stack{reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),
                          own_stack().high};
  OwnMemory memory;
  std::array<RawFrame, 256> frames{};
  const Walk walk = FrameWalker(memory, layout, thread_state, stack, NoCodeIsKnown()).walk(frames);
  if (walk.status == WalkStatus::kRejected || walk.depth == 0) {
    return fail(ErrorCode::kUnsupported, "its frames cannot be walked");
  }
  PYROMETER_TRY_VOID(
      compare(layout, std::span(frames).first(walk.depth), walk.status == WalkStatus::kComplete));
  return layout;
}

}  // namespace pyrometer
