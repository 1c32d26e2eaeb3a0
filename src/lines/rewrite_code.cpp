#include "lines/rewrite_code.h"

#include "cpython/python_text.h"
#include "lines/probes.h"
#include "lines/rewriter.h"

namespace pyrometer {
namespace {

// Of what counts from nought.
std::uint32_t count_attribute(PyObject* object, const char* name) {
  const long value = number_attribute(object, name);
  return value > 0 ? static_cast<std::uint32_t>(value) : 0;
}

// The function's constants, then the probes.
Reference constants_with(const std::vector<Probe>& probes, PyObject* constants,
                         MeasuredFunction& function) {
  const Py_ssize_t count = PyTuple_Size(constants);
  Reference all = Reference::take(PyTuple_New(count + static_cast<Py_ssize_t>(probes.size())));
  if (!all) return {};
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyTuple_SetItem(all.get(), i, Reference::share(PyTuple_GetItem(constants, i)).release());
  }
  for (std::size_t i = 0; i < probes.size(); ++i) {
    Reference probe = new_probe(probes[i], function);
    if (!probe) return {};
    PyTuple_SetItem(all.get(), count + static_cast<Py_ssize_t>(i), probe.release());
  }
  return all;
}

Reference replaced(PyObject* code, const CodeTables& tables, PyObject* constants,
                   std::uint32_t stack_size) {
  const auto size_of = [](const std::string& bytes) {
    return static_cast<Py_ssize_t>(bytes.size());
  };
  const Reference replace = Reference::take(PyObject_GetAttrString(code, "replace"));
  const Reference nothing = Reference::take(PyTuple_New(0));
  const Reference changes = Reference::take(
      Py_BuildValue("{s:y#,s:y#,s:y#,s:O,s:I}", "co_code", tables.code.data(), size_of(tables.code),
                    "co_linetable", tables.lines.data(), size_of(tables.lines), "co_exceptiontable",
                    tables.exceptions.data(), size_of(tables.exceptions), "co_consts", constants,
                    "co_stacksize", stack_size));
  if (!replace || !nothing || !changes) return {};
  return Reference::take(PyObject_Call(replace.get(), nothing.get(), changes.get()));
}

}  // namespace

const Result<Opcodes>& own_opcodes() {
  static const Result<Opcodes> opcodes = read_opcodes();
  return opcodes;
}

Result<Bytecode> bytecode_of(PyObject* code) {
  if (!own_opcodes()) return tl::unexpected(own_opcodes().error());
  const CodeTables tables{bytes_attribute(code, "co_code"), bytes_attribute(code, "co_linetable"),
                          bytes_attribute(code, "co_exceptiontable")};
  return decode_bytecode(tables, count_attribute(code, "co_firstlineno"), *own_opcodes());
}

Result<Reference> rewrite_code(PyObject* code, MeasuredFunction& function) {
  if (!own_opcodes()) return tl::unexpected(own_opcodes().error());
  const Opcodes& opcodes = *own_opcodes();
  const Reference constants = Reference::take(PyObject_GetAttrString(code, "co_consts"));
  if (!constants || PyTuple_Check(constants.get()) == 0) {
    PyErr_Clear();
    return fail(ErrorCode::kUnsupported, "it is no Python code");
  }
  const auto count = static_cast<std::uint32_t>(PyTuple_Size(constants.get()));
  PYROMETER_TRY(const Bytecode original, bytecode_of(code));
  PYROMETER_TRY(const RewrittenBytecode rewritten, insert_probes(original, opcodes, count));
  PYROMETER_TRY(const CodeTables encoded, encode_bytecode(rewritten.bytecode, opcodes));
  PYROMETER_TRY(const Bytecode seen, decode_bytecode(encoded, original.first_line, opcodes));
  PYROMETER_TRY_VOID(check_rewritten(original, seen, rewritten.copies, opcodes, count));

  const Reference all = constants_with(rewritten.probes, constants.get(), function);
  Reference made = all ? replaced(code, encoded, all.get(),
                                  stack_size_with_probes(count_attribute(code, "co_stacksize")))
                       : Reference();
  PyErr_Clear();
  if (!made) return fail(ErrorCode::kUnsupported, "Python refused the rewritten code");
  return made;
}

}  // namespace pyrometer
