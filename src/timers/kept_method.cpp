#include "timers/kept_method.h"

namespace pyrometer {
namespace {

struct KeptMethodObject {
  PyObject_HEAD PyMethodDef* method;
  Py_ssize_t offset;  // of the bound method in objects
  PyObject* plain;    // what the type itself has: to be called with an object
};

KeptMethodObject& own_of(PyObject* self) { return *reinterpret_cast<KeptMethodObject*>(self); }

PyObject* get(PyObject* self, PyObject* object, PyObject*) {
  const KeptMethodObject& own = own_of(self);
  if (object == nullptr || object == Py_None) {
    Py_IncRef(own.plain);
    return own.plain;
  }
  PyObject* kept = *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + own.offset);
  if (kept == nullptr) return bind_kept_method(*own.method, object);
  Py_IncRef(kept);
  return kept;
}

PyTypeObject* kept_method_type() {
  static PyType_Slot slots[] = {{Py_tp_descr_get, reinterpret_cast<void*>(&get)}, {0, nullptr}};
  static PyType_Spec spec = {
      "pyrometer.KeptMethod", sizeof(KeptMethodObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};
  static auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type;
}

}  // namespace

bool let_method_be_kept(PyTypeObject* type, PyMethodDef& method, Py_ssize_t offset) {
  if (kept_method_type() == nullptr) return false;
  auto* object = reinterpret_cast<PyObject*>(type);
  Reference plain = Reference::take(PyObject_GetAttrString(object, method.ml_name));
  if (!plain) return false;
  auto* made = PyObject_New(KeptMethodObject, kept_method_type());
  if (made == nullptr) return false;
  made->method = &method;
  made->offset = offset;
  made->plain = plain.release();  // types like this one are never destroyed
  const Reference descriptor = Reference::take(reinterpret_cast<PyObject*>(made));
  return PyObject_SetAttrString(object, method.ml_name, descriptor.get()) == 0;
}

PyObject* bind_kept_method(PyMethodDef& method, PyObject* object) {
  return PyCFunction_NewEx(&method, object, nullptr);
}

}  // namespace pyrometer
