// Reads CPython's marshal format (versions 0 to 6, Python 3.8 to 3.15) as plain data,
// without Python and without trust: None, bool, int, float, str, bytes, tuple, list, dict.
//
// Invariant: values form an acyclic graph of nodes, no more of them than the file has
// bytes. A back reference shares a node, so a small file can spell out a huge tree:
// whoever walks the graph must bound the walk, or visit each node once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"

namespace pyrometer {

enum class MarshalKind : std::uint8_t {
  kNone,
  kFalse,
  kTrue,
  kInteger,
  kReal,
  kText,  // UTF-8, lone surrogates possible
  kBytes,
  kTuple,
  kList,
  kDict,  // its elements are key, value, key, value, ...
};

struct MarshalNode {
  MarshalKind kind;
  std::uint32_t offset;   // of its first byte in the file
  std::uint32_t size;     // of a text in bytes, of a container in elements
  std::uint64_t content;  // the integer, the bits of the real, or where the rest begins
};
using MarshalId = Id<MarshalNode>;

// The values of one file. Texts are views of the bytes that were read: keep those.
class MarshalDocument {
 public:
  MarshalId root() const { return root_; }
  std::size_t size() const { return nodes_.size(); }

  MarshalKind kind(MarshalId id) const { return nodes_[id.row()].kind; }
  // None, False and True have no place of their own: theirs is 0.
  std::uint32_t offset(MarshalId id) const { return nodes_[id.row()].offset; }

  // Each may be asked only of a value of that kind; elements() of any container.
  std::int64_t integer(MarshalId id) const;
  double real(MarshalId id) const;
  std::string_view text(MarshalId id) const;
  std::span<const MarshalId> elements(MarshalId id) const;

 private:
  friend class MarshalParser;

  std::string_view bytes_;
  std::vector<MarshalNode> nodes_;
  std::vector<MarshalId> elements_;
  MarshalId root_ = MarshalId::none();
};

// One value that fills `bytes` to the end.
Result<MarshalDocument> read_marshal(std::string_view bytes);

}  // namespace pyrometer
