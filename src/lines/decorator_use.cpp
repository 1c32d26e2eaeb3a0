#include "lines/decorator_use.h"

#include <algorithm>

#include "cpython/python_text.h"
#include "lines/rewrite_code.h"

namespace pyrometer {
namespace {

bool is_code(PyObject* object, PyObject* like) { return Py_TYPE(object) == Py_TYPE(like); }

class ModuleReader {
 public:
  explicit ModuleReader(PyObject* code)
      : code_(code),
        constants_(Reference::take(PyObject_GetAttrString(code, "co_consts"))),
        names_(Reference::take(PyObject_GetAttrString(code, "co_names"))),
        bytecode_(bytecode_of(code)) {
    PyErr_Clear();
  }

  bool can_read() const { return constants_ && names_ && bytecode_ && own_opcodes(); }
  const std::vector<Instruction>& instructions() const { return bytecode_->instructions; }

  std::string name(std::uint32_t number) const {
    PyObject* text = PyTuple_GetItem(names_.get(), static_cast<Py_ssize_t>(number));  // borrowed
    if (text == nullptr) PyErr_Clear();
    return text == nullptr ? std::string() : text_of(text);
  }

  // The name that an instruction loads; the lowest bit of some arguments says other things.
  std::string loaded_name(const Instruction& each) const {
    const Opcodes& opcodes = *own_opcodes();
    if (each.opcode == opcodes.load_name) return name(each.argument);
    if (each.opcode == opcodes.load_global) return name(each.argument >> 1U);
    if (each.opcode != opcodes.load_attr) return {};
    return name(opcodes.minor_version < 12 ? each.argument : each.argument >> 1U);
  }

  // From 3.15 on the two lowest bits say when it is loaded.
  std::string imported_name(const Instruction& each) const {
    return name(own_opcodes()->minor_version < 15 ? each.argument : each.argument >> 2U);
  }

  PyObject* loaded_code(const Instruction& each) const {
    if (each.opcode != own_opcodes()->load_const) return nullptr;
    PyObject* constant = PyTuple_GetItem(constants_.get(), each.argument);  // borrowed
    if (constant == nullptr) PyErr_Clear();
    return constant != nullptr && is_code(constant, code_) ? constant : nullptr;
  }

  std::vector<PyObject*> inner_codes() const {
    std::vector<PyObject*> codes;  // borrowed
    for (Py_ssize_t i = 0; i < PyTuple_Size(constants_.get()); ++i) {
      PyObject* constant = PyTuple_GetItem(constants_.get(), i);
      if (is_code(constant, code_)) codes.push_back(constant);
    }
    return codes;
  }

 private:
  PyObject* code_;
  Reference constants_, names_;
  Result<Bytecode> bytecode_;
};

bool is_decorator(const std::string& name) { return name == "profile" || name == "lineprof"; }

// A variable or function of that name, and nothing imported.
bool defines_decorator(const ModuleReader& reader) {
  const Opcodes& opcodes = *own_opcodes();
  const auto& all = reader.instructions();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const bool is_store =
        all[i].opcode == opcodes.store_name || all[i].opcode == opcodes.store_global;
    const bool is_import = all[i - 1].opcode == opcodes.import_from;
    if (is_store && !is_import && is_decorator(reader.name(all[i].argument))) return true;
  }
  return false;
}

// Decorators are loaded, then the function is made from its code, then the calls begin.
bool decorates(const ModuleReader& reader) {
  constexpr std::size_t kFar = 16;  // defaults, annotations and other decorators lie between
  const Opcodes& opcodes = *own_opcodes();
  const auto& all = reader.instructions();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_decorator(reader.loaded_name(all[i]))) continue;
    for (std::size_t j = i + 1; j < std::min(all.size(), i + kFar); ++j) {
      if (all[j].opcode == opcodes.call || all[j].opcode == opcodes.store_name) break;
      if (reader.loaded_code(all[j]) != nullptr) return true;
    }
  }
  return false;
}

bool decorates_anywhere(PyObject* code, int depth) {
  constexpr int kDeepest = 50;
  const ModuleReader reader(code);
  if (!reader.can_read() || depth > kDeepest) return false;
  if (decorates(reader)) return true;
  const auto inner = reader.inner_codes();
  return std::any_of(inner.begin(), inner.end(),
                     [&](PyObject* each) { return decorates_anywhere(each, depth + 1); });
}

}  // namespace

bool uses_line_decorator(PyObject* code) {
  const ModuleReader reader(code);
  return reader.can_read() && !defines_decorator(reader) && decorates_anywhere(code, 0);
}

std::vector<std::string> imports_of(PyObject* code) {
  const ModuleReader reader(code);
  std::vector<std::string> imports;
  if (!reader.can_read()) return imports;
  std::string module;
  for (const Instruction& each : reader.instructions()) {
    if (each.opcode == own_opcodes()->import_name) {
      module = reader.imported_name(each);
      imports.push_back(module);
    } else if (each.opcode == own_opcodes()->import_from) {
      imports.push_back(module + "." + reader.name(each.argument));
    }
  }
  return imports;
}

}  // namespace pyrometer
