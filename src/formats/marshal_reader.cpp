#include "formats/marshal_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "base/byte_reader.h"
#include "base/check.h"
#include "formats/marshal_text.h"

namespace pyrometer {
namespace {

constexpr unsigned kDeepestNesting = 200;
constexpr std::uint32_t kLongestText = 1U << 20;
constexpr std::uint8_t kFlagRef = 0x80;  // the value can be named by a later 'r'

// These have no content, so all their occurrences share a node.
constexpr MarshalId kNoneId(0);
constexpr MarshalId kFalseId(1);
constexpr MarshalId kTrueId(2);

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

tl::unexpected<Error> unknown_type(char type, std::size_t offset) {
  if (type == 'c') {
    return fail(ErrorCode::kUnsupported,
                "a code object is at byte {}, as `python -m profile` writes it in place of a "
                "name; record the program with `python -m cProfile` instead",
                offset);
  }
  // Sets, complex numbers, slices, Ellipsis, frozendict, ... and Python 2's own types.
  constexpr std::string_view kOtherPythonTypes = "<>xy.S:}IR";
  if (kOtherPythonTypes.find(type) != std::string_view::npos) {
    return fail(ErrorCode::kUnsupported,
                "the Python object of type '{}' at byte {} is none that a profile holds", type,
                offset);
  }
  return fail(ErrorCode::kCorrupt, "the byte {:#04x} at byte {} begins no Python value",
              static_cast<std::uint8_t>(type), offset);
}

}  // namespace

class MarshalParser {
 public:
  explicit MarshalParser(std::string_view bytes) : in_(bytes) {
    document_.bytes_ = bytes;
    for (const auto kind : {MarshalKind::kNone, MarshalKind::kFalse, MarshalKind::kTrue}) {
      document_.nodes_.push_back({kind, 0, 0, 0});
    }
  }

  Result<MarshalDocument> parse() {
    PYROMETER_TRY(document_.root_, read_value(0));
    if (in_.remaining() != 0) {
      return fail(ErrorCode::kCorrupt, "{} bytes follow the end of the data at byte {}",
                  in_.remaining(), offset());
    }
    return std::move(document_);
  }

 private:
  std::size_t offset() const { return document_.bytes_.size() - in_.remaining(); }

  Result<void> need(std::uint64_t size) const {
    if (size <= in_.remaining()) return {};
    return fail(
        ErrorCode::kCorrupt,
        "the file is cut or damaged: byte {} should be followed by {} bytes of data, not {}",
        offset(), size, in_.remaining());
  }

  // A count or length whose unit takes at least `least_size` bytes of what follows.
  Result<std::uint32_t> read_size(bool is_short, std::size_t least_size) {
    PYROMETER_TRY_VOID(need(is_short ? 1 : 4));
    const std::uint32_t size = is_short ? in_.u8() : in_.u32();
    PYROMETER_TRY_VOID(need(std::uint64_t{size} * least_size));
    return size;
  }

  Result<MarshalId> read_value(unsigned depth) {
    const std::size_t start = offset();
    if (depth > kDeepestNesting) {
      return fail(ErrorCode::kTooLarge, "the data at byte {} are nested deeper than {} levels",
                  start, kDeepestNesting);
    }
    PYROMETER_TRY_VOID(need(1));
    const std::uint8_t code = in_.u8();
    const auto type = static_cast<char>(code & ~kFlagRef);
    switch (type) {
      case 'N': return kNoneId;
      case 'F': return kFalseId;
      case 'T': return kTrueId;
      case 'r': return read_reference(start);
      default: break;
    }
    // A value is numbered where it begins, so a container comes before its elements.
    const std::size_t reference = references_.size();
    if ((code & kFlagRef) != 0) references_.push_back(MarshalId::none());
    MarshalNode node{MarshalKind::kNone, static_cast<std::uint32_t>(start), 0, 0};
    PYROMETER_TRY_VOID(read_content(type, depth, node));
    const auto id = MarshalId::from_index(document_.nodes_.size());
    document_.nodes_.push_back(node);
    if ((code & kFlagRef) != 0) references_[reference] = id;
    return id;
  }

  Result<MarshalId> read_reference(std::size_t start) {
    PYROMETER_TRY_VOID(need(4));
    const std::uint32_t number = in_.u32();
    if (number >= references_.size()) {
      return fail(ErrorCode::kCorrupt,
                  "the reference at byte {} names value {}, but only {} came before it", start,
                  number, references_.size());
    }
    const MarshalId id = references_[number];
    if (id.is_none()) {
      return fail(ErrorCode::kUnsupported, "the value around byte {} contains itself", start);
    }
    return id;
  }

  Result<void> read_content(char type, unsigned depth, MarshalNode& node) {
    switch (type) {
      case 'i':
        PYROMETER_TRY_VOID(need(4));
        set_integer(node, static_cast<std::int32_t>(in_.u32()));
        return {};
      case 'l': return read_long_integer(node);
      case 'g':
        PYROMETER_TRY_VOID(need(8));
        node.kind = MarshalKind::kReal;
        node.content = in_.u64();
        return {};
      case 'f': return read_decimal_real(node);
      case 's': return read_text(node, MarshalKind::kBytes, false);
      case 'u':
      case 't': return read_text(node, MarshalKind::kText, false);
      case 'a':
      case 'A': return read_text(node, MarshalKind::kText, false, &is_ascii);
      case 'z':
      case 'Z': return read_text(node, MarshalKind::kText, true, &is_ascii);
      case ')': return read_sequence(node, MarshalKind::kTuple, true, depth);
      case '(': return read_sequence(node, MarshalKind::kTuple, false, depth);
      case '[': return read_sequence(node, MarshalKind::kList, false, depth);
      case '{': return read_dict(node, depth);
      default: return unknown_type(type, node.offset);
    }
  }

  static void set_integer(MarshalNode& node, std::int64_t value) {
    node.kind = MarshalKind::kInteger;
    node.content = static_cast<std::uint64_t>(value);
  }

  // Sign and magnitude: the sign is that of the digit count, digits have 15 bits.
  Result<void> read_long_integer(MarshalNode& node) {
    PYROMETER_TRY_VOID(need(4));
    const std::uint32_t signed_count = in_.u32();
    const bool negative = signed_count >> 31 != 0;
    const std::uint32_t count = negative ? ~signed_count + 1 : signed_count;
    PYROMETER_TRY_VOID(need(std::uint64_t{count} * 2));
    std::uint64_t magnitude = 0;
    bool fits = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t digit = in_.u16();
      if (digit > 0x7fff) {
        return fail(ErrorCode::kCorrupt, "the integer at byte {} has a malformed digit",
                    node.offset);
      }
      if (digit == 0) continue;
      const unsigned shift = 15 * std::min(i, 5U);
      fits = fits && shift < 64 && (digit << shift) >> shift == digit;
      if (fits) magnitude |= digit << shift;
    }
    const std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    if (!fits || magnitude > largest + (negative ? 1 : 0)) {
      return fail(ErrorCode::kUnsupported, "the integer at byte {} does not fit in 64 bits",
                  node.offset);
    }
    set_integer(node, static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude));
    return {};
  }

  Result<void> read_decimal_real(MarshalNode& node) {
    PYROMETER_TRY(const std::uint32_t size, read_size(true, 1));
    const std::string_view text = in_.bytes(size);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
      return fail(ErrorCode::kCorrupt, "the float at byte {} is not a number", node.offset);
    }
    node.kind = MarshalKind::kReal;
    node.content = std::bit_cast<std::uint64_t>(value);
    return {};
  }

  Result<void> read_text(MarshalNode& node, MarshalKind kind, bool is_short,
                         bool (*is_valid)(std::string_view) = &is_marshal_text) {
    PYROMETER_TRY(node.size, read_size(is_short, 1));
    if (node.size > kLongestText) {
      return fail(ErrorCode::kTooLarge, "the text at byte {} has {} bytes, more than {}",
                  node.offset, node.size, kLongestText);
    }
    node.kind = kind;
    node.content = offset();
    if (const auto text = in_.bytes(node.size); kind == MarshalKind::kText && !is_valid(text)) {
      return fail(ErrorCode::kCorrupt, "the text at byte {} is not what it claims to be, {}",
                  node.offset, is_valid == &is_ascii ? "ASCII" : "UTF-8");
    }
    return {};
  }

  Result<void> read_sequence(MarshalNode& node, MarshalKind kind, bool is_short, unsigned depth) {
    PYROMETER_TRY(const std::uint32_t count, read_size(is_short, 1));
    const std::size_t first = open_elements_.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      PYROMETER_TRY(const MarshalId element, read_value(depth + 1));
      open_elements_.push_back(element);
    }
    close_container(node, kind, first);
    return {};
  }

  Result<void> read_dict(MarshalNode& node, unsigned depth) {
    const std::size_t first = open_elements_.size();
    while (true) {
      PYROMETER_TRY_VOID(need(1));
      if (document_.bytes_[offset()] == '0') break;
      PYROMETER_TRY(const MarshalId key, read_value(depth + 1));
      open_elements_.push_back(key);
      PYROMETER_TRY(const MarshalId value, read_value(depth + 1));
      open_elements_.push_back(value);
    }
    in_.u8();
    close_container(node, MarshalKind::kDict, first);
    return {};
  }

  // Moves the elements since `first` to their final place, where they lie side by side.
  void close_container(MarshalNode& node, MarshalKind kind, std::size_t first) {
    const auto begin = open_elements_.begin() + static_cast<std::ptrdiff_t>(first);
    node.kind = kind;
    node.size = static_cast<std::uint32_t>(open_elements_.end() - begin);
    node.content = document_.elements_.size();
    document_.elements_.insert(document_.elements_.end(), begin, open_elements_.end());
    open_elements_.erase(begin, open_elements_.end());
  }

  MarshalDocument document_;
  ByteReader in_;
  std::vector<MarshalId> references_;     // none: begun, not yet complete
  std::vector<MarshalId> open_elements_;  // of all containers being read, innermost last
};

std::int64_t MarshalDocument::integer(MarshalId id) const {
  PYROMETER_CHECK(kind(id) == MarshalKind::kInteger);
  return static_cast<std::int64_t>(nodes_[id.row()].content);
}

double MarshalDocument::real(MarshalId id) const {
  PYROMETER_CHECK(kind(id) == MarshalKind::kReal);
  return std::bit_cast<double>(nodes_[id.row()].content);
}

std::string_view MarshalDocument::text(MarshalId id) const {
  const bool is_text = kind(id) == MarshalKind::kText || kind(id) == MarshalKind::kBytes;
  PYROMETER_CHECK(is_text);
  return bytes_.substr(nodes_[id.row()].content, nodes_[id.row()].size);
}

std::span<const MarshalId> MarshalDocument::elements(MarshalId id) const {
  PYROMETER_CHECK(kind(id) >= MarshalKind::kTuple);
  return std::span(elements_).subspan(nodes_[id.row()].content, nodes_[id.row()].size);
}

Result<MarshalDocument> read_marshal(std::string_view bytes) {
  if (bytes.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::kTooLarge, "the file has {} bytes, 4 GiB or more", bytes.size());
  }
  return MarshalParser(bytes).parse();
}

}  // namespace pyrometer
