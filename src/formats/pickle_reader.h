// Reads the part of Python's pickle format (protocols 2 to 5) that line_profiler's statistics
// are made of, as plain data: None, bool, int, float, str, tuple, list, dict, and objects of one
// named class. Nothing is ever imported, called or created: any other class or function in
// the file is an error.
//
// Invariant: no more values than the file has bytes. A value may be shared, and a list may even
// contain itself: whoever walks the values must bound the walk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"

namespace pyrometer {

enum class PickleKind : std::uint8_t {
  kNone,
  kFalse,
  kTrue,
  kInteger,
  kReal,
  kText,  // UTF-8, lone surrogates possible
  kTuple,
  kList,
  kDict,    // its elements are key, value, key, value, ...
  kClass,   // the one that is allowed
  kObject,  // of that class: its elements are the arguments it was made with, then its states
};

struct PickleNode {
  PickleKind kind;
  std::uint32_t offset;   // of its first byte in the file
  std::uint32_t size;     // of a text in bytes
  std::uint64_t content;  // the integer, the bits of the real, where the text or the list begins
};
using PickleId = Id<PickleNode>;

// The values of one file. Texts are views of the bytes that were read: keep those.
class PickleDocument {
 public:
  PickleId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }

  PickleKind kind(PickleId id) const { return nodes_[id.row()].kind; }
  std::uint32_t offset(PickleId id) const { return nodes_[id.row()].offset; }

  // Each may be asked only of a value of that kind; elements() of any container or object.
  std::int64_t integer(PickleId id) const;
  double real(PickleId id) const;
  std::string_view text(PickleId id) const;
  std::span<const PickleId> elements(PickleId id) const;

 private:
  friend class PickleMachine;

  std::string_view bytes_;
  std::vector<PickleNode> nodes_;
  std::vector<std::vector<PickleId>> elements_;  // of the containers that have any
  PickleId root_ = PickleId::none();
};

// The class whose objects may be in a file: one of `modules` has it.
struct PickleClass {
  std::span<const std::string_view> modules;
  std::string_view name;
  std::string_view words;  // for errors: "line_profiler's own statistics"
};

// One value that fills `bytes` to the end.
Result<PickleDocument> read_pickle(std::string_view bytes, const PickleClass& allowed);

}  // namespace pyrometer
