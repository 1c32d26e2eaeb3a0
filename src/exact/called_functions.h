// The functions that calls were counted for: a number for each, with its name and place. What
// a number stands for is written once and never changes. The GIL must be held, except to read
// names.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "exact/call_path.h"

struct _object;

namespace pyrometer {

struct CalledFunction {
  bool is_python = false;
  std::string name, qualified_name, file;  // of C functions the name only, as cProfile gives it
  std::uint32_t first_line = 0;
  std::uint32_t first_column = 0;  // column + 1, tells lambdas of one line apart; 0: unknown
};

class CalledFunctions {
 public:
  CalledFunctions() = default;
  CalledFunctions(const CalledFunctions&) = delete;
  CalledFunctions& operator=(const CalledFunctions&) = delete;
  ~CalledFunctions() { clear(); }

  // Keeps the code object, so that its address stays its own.
  std::uint32_t of_code(_object* code);
  // A built-in function or method; `self` is what it is called on, where `callable` does not
  // say that itself.
  std::uint32_t of_c_function(CallPath::Key key, _object* callable, _object* self);
  // Any other callable, by its own name or that of its type. Kept, unless the key is its type's.
  std::uint32_t of_object(CallPath::Key key, _object* callable);

  // The code object, or a string: what cProfile shows. Borrowed.
  _object* label(std::uint32_t number) const { return labels_[number]; }
  void clear();

  // ---- for readers in any thread
  std::uint32_t size() const;
  CalledFunction describe(std::uint32_t number) const;
  bool is_python(std::uint32_t number) const;

 private:
  std::uint32_t add(CallPath::Key key, _object* label, CalledFunction function);

  boost::unordered_flat_map<CallPath::Key, std::uint32_t> numbers_;
  std::deque<_object*> labels_;  // owned
  std::deque<_object*> kept_;    // owned: callables whose addresses are keys
  mutable std::mutex mutex_;
  std::deque<CalledFunction> functions_;  // under the lock
};

}  // namespace pyrometer
