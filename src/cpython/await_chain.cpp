#include "cpython/await_chain.h"

#include <algorithm>

namespace pyrometer {
namespace {

PyTypeObject* type_named(PyObject* module, const char* name) {
  PyObject* type = PyObject_GetAttrString(module, name);  // kept for good
  return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

std::unique_ptr<AwaitChains> AwaitChains::make(const Layout& layout, PyObject* coroutine,
                                               PyTypeObject* future) {
  std::unique_ptr<AwaitChains> chains(new AwaitChains(layout, future));
  const bool is_ready = chains->find_types() && Py_TYPE(coroutine) == chains->kinds_[0].type &&
                        chains->find_frame(coroutine);
  PyErr_Clear();
  return is_ready ? std::move(chains) : nullptr;
}

bool AwaitChains::find_types() {
  const Reference types = Reference::take(PyImport_ImportModule("types"));
  if (!types) return false;
  const auto make_kind = [&](const char* type, const char* awaits, const char* runs) {
    return Kind{type_named(types.get(), type), PyUnicode_InternFromString(awaits),
                PyUnicode_InternFromString(runs)};
  };
  kinds_ = {make_kind("CoroutineType", "cr_await", "cr_running"),
            make_kind("GeneratorType", "gi_yieldfrom", "gi_running"),
            make_kind("AsyncGeneratorType", "ag_await", "ag_running")};
  return std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) {
    return kind.type != nullptr && kind.awaits != nullptr && kind.runs != nullptr;
  });
}

// The frame lies inside the coroutine, behind fields whose number depends on the version: there is
// one place where a frame of its code can be.
bool AwaitChains::find_frame(PyObject* coroutine) {
  constexpr std::size_t kFirst = 16, kFarthest = 128;
  const Reference code = Reference::take(PyObject_GetAttrString(coroutine, "cr_code"));
  if (!code) return false;
  const auto* object = reinterpret_cast<const char*>(coroutine);
  for (std::size_t at = kFirst; at <= kFarthest; at += sizeof(void*)) {
    const auto word = load<std::uintptr_t>(object + at, layout_.frame.code);
    if ((word & ~layout_.frame.code_tag_bits) != reinterpret_cast<std::uintptr_t>(code.get())) {
      continue;
    }
    if (!frame_at(object + at)) continue;
    frame_offset_ = at;
    return true;
  }
  return false;
}

std::optional<RawFrame> AwaitChains::frame_at(const char* frame) const {
  if (load<std::uint8_t>(frame, layout_.frame.owner) != Layout::kOwnedByGenerator) {
    return std::nullopt;
  }
  const auto code = load<std::uintptr_t>(frame, layout_.frame.code) & ~layout_.frame.code_tag_bits;
  if (code == 0) return std::nullopt;
  const auto* object = reinterpret_cast<const char*>(code);
  if (load<std::uintptr_t>(object, Layout::kObjectType) != layout_.code_type) return std::nullopt;
  const auto units = load<std::int64_t>(object, Layout::kObjectSize);
  const auto offset = static_cast<std::int64_t>(
      load<std::uintptr_t>(frame, layout_.frame.instruction) - code - layout_.code.instructions);
  if (offset < -2 || offset >= 2 * units) return std::nullopt;
  return RawFrame{.code = code,
                  .instruction = static_cast<std::int32_t>(offset),
                  .generator = reinterpret_cast<std::uintptr_t>(frame)};
}

std::optional<RawFrame> AwaitChains::frame(PyObject* coroutine) const {
  if (kind_of(coroutine) == nullptr) return std::nullopt;
  return frame_at(reinterpret_cast<const char*>(coroutine) + frame_offset_);
}

bool AwaitChains::is_running(PyObject* coroutine) const {
  const Kind* kind = kind_of(coroutine);
  if (kind == nullptr) return false;
  const Reference runs = Reference::take(PyObject_GenericGetAttr(coroutine, kind->runs));
  PyErr_Clear();
  return runs.get() == Py_True;
}

const AwaitChains::Kind* AwaitChains::kind_of(PyObject* object) const {
  for (const Kind& kind : kinds_) {
    if (Py_TYPE(object) == kind.type) return &kind;
  }
  return nullptr;
}

// Iterators that stand before a coroutine, an asynchronous generator or a future hide it from
// Python, but not from the garbage collector.
Reference AwaitChains::behind(PyObject* wrapper) const {
  struct Search {
    const AwaitChains* chains;
    PyObject* found;
  };
  const auto visit = [](PyObject* object, void* argument) {
    auto* search = static_cast<Search*>(argument);
    const bool is_it = search->chains->kind_of(object) != nullptr ||
                       PyType_IsSubtype(Py_TYPE(object), search->chains->future_) != 0;
    if (is_it && search->found == nullptr) search->found = object;
    return 0;
  };
  const auto traverse =
      reinterpret_cast<traverseproc>(PyType_GetSlot(Py_TYPE(wrapper), Py_tp_traverse));
  if (traverse == nullptr) return {};
  Search search{this, nullptr};
  traverse(wrapper, visit, &search);
  return search.found == nullptr ? Reference() : Reference::share(search.found);
}

AwaitChains::Chain AwaitChains::read(PyObject* coroutine) const {
  constexpr std::size_t kDeepest = 64;
  Chain chain;
  Reference object = Reference::share(coroutine);
  for (std::size_t steps = 0; steps < 2 * kDeepest && chain.frames.size() < kDeepest; ++steps) {
    if (const Kind* kind = kind_of(object.get())) {
      if (const auto own = frame(object.get())) chain.frames.push_back(*own);
      object = Reference::take(PyObject_GenericGetAttr(object.get(), kind->awaits));
      PyErr_Clear();
      if (!object || object.get() == Py_None) return chain;
      continue;
    }
    Reference hidden;
    if (PyType_IsSubtype(Py_TYPE(object.get()), future_) == 0) hidden = behind(object.get());
    if (!hidden) break;
    object = std::move(hidden);
  }
  chain.awaited = std::move(object);
  return chain;
}

}  // namespace pyrometer
