#include "lines/opcodes.h"

#include <algorithm>
#include <string_view>

#include "cpython/python_api.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

struct Named {
  std::string_view name;
  Opcodes::Opcode Opcodes::*opcode;
  bool is_needed;
};

constexpr std::array kNamed = std::to_array<Named>({
    {"EXTENDED_ARG", &Opcodes::extended_arg, true},
    {"LOAD_CONST", &Opcodes::load_const, true},
    {"UNARY_NEGATIVE", &Opcodes::unary_negative, true},
    {"POP_TOP", &Opcodes::pop_top, true},
    {"NOP", &Opcodes::nop, true},
    {"JUMP_FORWARD", &Opcodes::jump_forward, true},
    {"JUMP_BACKWARD", &Opcodes::jump_backward, true},
    {"JUMP_BACKWARD_NO_INTERRUPT", &Opcodes::jump_backward_no_interrupt, true},
    {"FOR_ITER", &Opcodes::for_iter, true},
    {"END_FOR", &Opcodes::end_for, false},
    {"POP_ITER", &Opcodes::pop_iter, false},
    {"SEND", &Opcodes::send, true},
    {"END_SEND", &Opcodes::end_send, false},
    {"END_ASYNC_FOR", &Opcodes::end_async_for, true},
    {"RESUME", &Opcodes::resume, true},
    {"RETURN_VALUE", &Opcodes::return_value, true},
    {"RETURN_CONST", &Opcodes::return_const, false},
    {"YIELD_VALUE", &Opcodes::yield_value, true},
    {"RAISE_VARARGS", &Opcodes::raise_varargs, true},
    {"RERAISE", &Opcodes::reraise, true},
    {"LOAD_NAME", &Opcodes::load_name, true},
    {"LOAD_GLOBAL", &Opcodes::load_global, true},
    {"LOAD_ATTR", &Opcodes::load_attr, true},
    {"STORE_NAME", &Opcodes::store_name, true},
    {"STORE_GLOBAL", &Opcodes::store_global, true},
    {"IMPORT_NAME", &Opcodes::import_name, true},
    {"IMPORT_FROM", &Opcodes::import_from, true},
    {"CALL", &Opcodes::call, true},
    {"BEFORE_WITH", &Opcodes::before_with, false},
    {"BEFORE_ASYNC_WITH", &Opcodes::before_async_with, false},
    {"LOAD_SPECIAL", &Opcodes::load_special, false},
});

// Those of them that stand in the way of knowing where an exception came from.
constexpr std::array kHarmless = std::to_array<std::string_view>(
    {"NOP", "POP_TOP", "COPY", "SWAP", "PUSH_NULL", "PUSH_EXC_INFO", "POP_EXCEPT", "LOAD_CONST",
     "LOAD_SMALL_INT", "STORE_FAST", "STORE_FAST_STORE_FAST", "NOT_TAKEN", "JUMP_FORWARD",
     "RETURN_VALUE", "RETURN_CONST"});

Reference import_opcode_module() {
  // A program that does not use them should not find them loaded.
  constexpr std::array kLoaded = {"opcode", "_opcode", "_opcode_metadata"};
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  std::array<bool, kLoaded.size()> was_loaded{};
  for (std::size_t i = 0; i < kLoaded.size(); ++i) {
    was_loaded[i] = PyDict_GetItemString(modules, kLoaded[i]) != nullptr;
  }
  Reference module = Reference::take(PyImport_ImportModule("opcode"));
  const KeptError kept;
  for (std::size_t i = 0; i < kLoaded.size(); ++i) {
    if (!was_loaded[i] && PyDict_DelItemString(modules, kLoaded[i]) != 0) PyErr_Clear();
  }
  return module;
}

// The number of an instruction; of pseudo instructions, which never run, nothing.
bool number_of(PyObject* value, Opcodes::Opcode& opcode) {
  const long number = PyLong_AsLong(value);
  if (number < 0 || number > 255) return false;
  opcode = static_cast<Opcodes::Opcode>(number);
  return true;
}

// The interpreter describes the cache of an instruction field by field.
std::uint8_t sum_of_units(PyObject* caches, PyObject* name) {
  const Reference format = Reference::take(PyObject_GetItem(caches, name));
  const Reference fields = Reference::take(format ? PyMapping_Values(format.get()) : nullptr);
  long sum = 0;
  for (Py_ssize_t i = 0; fields && i < PyList_Size(fields.get()); ++i) {
    sum += PyLong_AsLong(PyList_GetItem(fields.get(), i));
  }
  PyErr_Clear();
  return static_cast<std::uint8_t>(sum);
}

bool read_names(PyObject* module, Opcodes& opcodes) {
  const Reference map = Reference::take(PyObject_GetAttrString(module, "opmap"));
  const Reference caches = Reference::take(PyObject_GetAttrString(module, "_cache_format"));
  if (!map || !caches) return false;
  // 3.15's are no dictionaries.
  const Reference items = Reference::take(PyMapping_Items(map.get()));
  if (!items) return false;
  for (Py_ssize_t i = 0; i < PyList_Size(items.get()); ++i) {
    PyObject *name = nullptr, *value = nullptr;  // borrowed
    if (PyArg_ParseTuple(PyList_GetItem(items.get(), i), "OO", &name, &value) == 0) return false;
    Opcodes::Opcode opcode = 0;
    if (!number_of(value, opcode)) continue;
    const std::string text = text_of(name);
    for (const Named& named : kNamed) {
      if (named.name == text) opcodes.*named.opcode = opcode;
    }
    if (text.find("BACKWARD") != std::string::npos || text == "END_ASYNC_FOR") {
      opcodes.reference[opcode] = Opcodes::Reference::kBackward;
    }
    opcodes.never_raises[opcode] =
        std::find(kHarmless.begin(), kHarmless.end(), text) != kHarmless.end();
    opcodes.cache_units[opcode] = sum_of_units(caches.get(), name);
  }
  return true;
}

// Jumps are relative in every version we serve.
bool read_jumps(PyObject* module, Opcodes& opcodes) {
  const Reference listed = Reference::take(PyObject_GetAttrString(module, "hasjrel"));
  const Reference jumps = Reference::take(listed ? PySequence_List(listed.get()) : nullptr);
  if (!jumps) return false;
  std::array<bool, 256> is_listed{};
  for (Py_ssize_t i = 0; i < PyList_Size(jumps.get()); ++i) {
    Opcodes::Opcode opcode = 0;
    if (number_of(PyList_GetItem(jumps.get(), i), opcode)) is_listed[opcode] = true;
  }
  for (std::size_t opcode = 0; opcode < is_listed.size(); ++opcode) {
    Opcodes::Reference& reference = opcodes.reference[opcode];
    if (!is_listed[opcode]) {
      reference = Opcodes::Reference::kNone;
    } else if (reference == Opcodes::Reference::kNone) {
      reference = Opcodes::Reference::kForward;
    }
  }
  return true;
}

}  // namespace

Result<Opcodes> read_opcodes() {
  Opcodes opcodes;
  opcodes.minor_version = (static_cast<std::uint32_t>(Py_Version) >> 16U) & 0xffU;
  const Reference module = import_opcode_module();
  const bool is_read =
      module && read_names(module.get(), opcodes) && read_jumps(module.get(), opcodes);
  PyErr_Clear();
  for (const Named& named : kNamed) {
    if (is_read && (!named.is_needed || opcodes.*named.opcode != 0)) continue;
    return fail(ErrorCode::kUnsupported, "this Python's instructions are not as they should be");
  }
  return opcodes;
}

}  // namespace pyrometer
