#include "exact/profiler_stats.h"

#include <map>

#include "exact/summary.h"

namespace pyrometer {
namespace {

PyTypeObject* entry_type = nullptr;
PyTypeObject* subentry_type = nullptr;

PyTypeObject* new_type(const char* name, bool has_calls) {
  static PyStructSequence_Field fields[] = {
      {"code", "code object or name of a built-in function"},
      {"callcount", "how many times it was called"},
      {"reccallcount", "how many of them while it was running already"},
      {"totaltime", "seconds, with what it called"},
      {"inlinetime", "seconds, without what it called"},
      {"calls", "the same by callee, or None"},
      {nullptr, nullptr}};
  static PyStructSequence_Field short_fields[] = {fields[0], fields[1], fields[2],
                                                  fields[3], fields[4], {nullptr, nullptr}};
  PyStructSequence_Desc description = {name, nullptr, has_calls ? fields : short_fields,
                                       has_calls ? 6 : 5};
  return PyStructSequence_NewType(&description);
}

Reference new_entry(PyTypeObject* type, PyObject* label, const CallStatistics& statistics,
                    double scale) {
  Reference entry = Reference::take(PyStructSequence_New(type));
  if (!entry) return entry;
  const auto set = [&](Py_ssize_t position, PyObject* value) {
    PyStructSequence_SetItem(entry.get(), position, value);
    return value != nullptr;
  };
  const bool is_whole = set(0, Reference::share(label).release()) &&
                        set(1, PyLong_FromUnsignedLongLong(statistics.calls)) &&
                        set(2, PyLong_FromUnsignedLongLong(statistics.recursive_calls)) &&
                        set(3, PyFloat_FromDouble(static_cast<double>(statistics.total) * scale)) &&
                        set(4, PyFloat_FromDouble(static_cast<double>(statistics.self) * scale));
  return is_whole ? std::move(entry) : Reference();
}

bool append(PyObject* list, const Reference& entry) {
  return entry && PyList_Append(list, entry.get()) == 0;
}

}  // namespace

bool add_stats_types(PyObject* module) {
  entry_type = new_type("pyrometer.profiler_entry", true);
  subentry_type = new_type("pyrometer.profiler_subentry", false);
  return entry_type != nullptr && subentry_type != nullptr &&
         PyModule_AddObjectRef(module, "profiler_entry", reinterpret_cast<PyObject*>(entry_type)) ==
             0 &&
         PyModule_AddObjectRef(module, "profiler_subentry",
                               reinterpret_cast<PyObject*>(subentry_type)) == 0;
}

PyObject* make_profiler_stats(const CallPaths& paths, const CalledFunctions& functions,
                              double seconds_per_count, bool with_callees) {
  const FoldedCalls::Counts counts = summarize_calls(paths);
  // In the order of their first calls: the same program gives the same list.
  const std::map<std::uint32_t, CallStatistics> by_number(counts.functions.begin(),
                                                          counts.functions.end());
  std::map<std::uint32_t, std::map<std::uint32_t, CallStatistics>> callees;
  for (const auto& [pair, statistics] : counts.pairs) {
    if (with_callees && statistics.calls != 0) callees[pair.caller][pair.callee] = statistics;
  }
  Reference list = Reference::take(PyList_New(0));
  for (const auto& [number, statistics] : by_number) {
    if (!list) return nullptr;
    if (statistics.calls == 0) continue;
    const Reference entry =
        new_entry(entry_type, functions.label(number), statistics, seconds_per_count);
    Reference calls =
        callees.contains(number) ? Reference::take(PyList_New(0)) : Reference::share(Py_None);
    if (!entry || !calls) return nullptr;
    for (const auto& [callee, cost] : callees[number]) {
      if (!append(calls.get(),
                  new_entry(subentry_type, functions.label(callee), cost, seconds_per_count))) {
        return nullptr;
      }
    }
    constexpr Py_ssize_t kCalls = 5;
    PyStructSequence_SetItem(entry.get(), kCalls, calls.release());
    if (!append(list.get(), entry)) return nullptr;
  }
  return list.release();
}

}  // namespace pyrometer
