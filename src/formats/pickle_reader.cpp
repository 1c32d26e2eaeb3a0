#include "formats/pickle_reader.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "base/byte_reader.h"
#include "base/check.h"
#include "base/printable.h"
#include "formats/marshal_text.h"
#include "formats/pickle_codes.h"

namespace pyrometer {
namespace {

constexpr std::size_t kDeepestMarks = 200;
constexpr std::uint64_t kLongestText = 1U << 20;
constexpr std::size_t kLongestNameShown = 80;
constexpr std::uint64_t kNoElements = std::numeric_limits<std::uint64_t>::max();

bool is_container(PickleKind kind) {
  return kind >= PickleKind::kTuple && kind != PickleKind::kClass;
}

}  // namespace

// Pickle is a program for a machine with a stack and a memory of values. This one knows the
// instructions that put plain values together, and no others.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const PickleClass& allowed)
      : in_(bytes), allowed_(allowed) {
    document_.bytes_ = bytes;
  }

  Result<PickleDocument> run() {
    PYROMETER_TRY_VOID(read_protocol());
    while (true) {
      start_ = offset();
      PYROMETER_TRY_VOID(need(1));
      const auto code = static_cast<PickleCode>(in_.u8());
      if (code == PickleCode::kStop) break;
      PYROMETER_TRY_VOID(execute(code));
    }
    if (stack_.size() != 1 || !marks_.empty()) {
      return fail(ErrorCode::kCorrupt, "byte {}: the pickle ends with {} values in place of one",
                  start_, stack_.size());
    }
    if (in_.remaining() != 0) {
      return fail(ErrorCode::kCorrupt, "byte {}: {} bytes follow the end of the data", offset(),
                  in_.remaining());
    }
    document_.root_ = stack_.back();
    return std::move(document_);
  }

 private:
  std::size_t offset() const { return document_.bytes_.size() - in_.remaining(); }

  Result<void> need(std::uint64_t size) const {
    if (size <= in_.remaining()) return {};
    return fail(ErrorCode::kCorrupt,
                "byte {}: the file is cut or damaged; {} bytes should follow, not {}", offset(),
                size, in_.remaining());
  }

  Result<void> read_protocol() {
    PYROMETER_TRY_VOID(need(2));
    const bool is_pickle = in_.u8() == static_cast<std::uint8_t>(PickleCode::kProtocol);
    const unsigned protocol = in_.u8();
    if (!is_pickle) return fail(ErrorCode::kCorrupt, "byte 0: this is not a pickle");
    if (protocol >= 2 && protocol <= 5) return {};
    return fail(ErrorCode::kUnsupported, "byte 1: pickle protocol {} is none of 2 to 5", protocol);
  }

  Result<void> execute(PickleCode code) {
    switch (code) {
      case PickleCode::kFrame: return skip_frame();
      case PickleCode::kMark: return mark();
      case PickleCode::kNone: return push(PickleKind::kNone);
      case PickleCode::kNewTrue: return push(PickleKind::kTrue);
      case PickleCode::kNewFalse: return push(PickleKind::kFalse);
      case PickleCode::kBinInt:
      case PickleCode::kBinInt1:
      case PickleCode::kBinInt2:
      case PickleCode::kLong1: return push_integer(code);
      case PickleCode::kBinFloat: return push_real();
      case PickleCode::kShortBinUnicode: return push_text(1);
      case PickleCode::kBinUnicode: return push_text(4);
      case PickleCode::kBinUnicode8: return push_text(8);
      case PickleCode::kEmptyTuple: return push(PickleKind::kTuple, kNoElements);
      case PickleCode::kTuple1: return push_tuple(1);
      case PickleCode::kTuple2: return push_tuple(2);
      case PickleCode::kTuple3: return push_tuple(3);
      case PickleCode::kTuple: return push_tuple_since_mark();
      case PickleCode::kEmptyList: return push(PickleKind::kList, kNoElements);
      case PickleCode::kAppend: return add_to(PickleKind::kList, 1);
      case PickleCode::kAppends: return add_since_mark(PickleKind::kList);
      case PickleCode::kEmptyDict: return push(PickleKind::kDict, kNoElements);
      case PickleCode::kSetItem: return add_to(PickleKind::kDict, 2);
      case PickleCode::kSetItems: return add_since_mark(PickleKind::kDict);
      case PickleCode::kMemoize: return remember(next_number_);
      case PickleCode::kBinPut: return remember_as(1);
      case PickleCode::kLongBinPut: return remember_as(4);
      case PickleCode::kBinGet: return recall(1);
      case PickleCode::kLongBinGet: return recall(4);
      case PickleCode::kGlobal: return push_named_class();
      case PickleCode::kStackGlobal: return push_class_of_stack();
      case PickleCode::kNewObject:
      case PickleCode::kReduce: return make_object();
      case PickleCode::kBuild: return add_to(PickleKind::kObject, 1);
      default: break;
    }
    return fail(ErrorCode::kUnsupported,
                "byte {}: the pickle instruction {:#04x} is none that {} need{}", start_,
                static_cast<unsigned>(code), allowed_.words,
                may_run_code(code) ? ", and could run anything" : "");
  }

  Result<std::uint64_t> read_number(unsigned size) {
    PYROMETER_TRY_VOID(need(size));
    return size == 1 ? in_.u8() : size == 4 ? in_.u32() : in_.u64();
  }

  // Frames only tell how much to read ahead.
  Result<void> skip_frame() {
    PYROMETER_TRY(const std::uint64_t size, read_number(8));
    return need(size);
  }

  Result<void> mark() {
    if (marks_.size() == kDeepestMarks) {
      return fail(ErrorCode::kTooLarge, "byte {}: the data are nested deeper than {} levels",
                  start_, kDeepestMarks);
    }
    marks_.push_back(stack_.size());
    return {};
  }

  // ---- values

  Result<void> push(PickleKind kind, std::uint64_t content = 0, std::uint64_t size = 0) {
    stack_.push_back(PickleId::from_index(document_.nodes_.size()));
    document_.nodes_.push_back(
        {kind, static_cast<std::uint32_t>(start_), static_cast<std::uint32_t>(size), content});
    return {};
  }

  Result<void> push_integer(PickleCode code) {
    const auto push_value = [&](std::int64_t value) {
      return push(PickleKind::kInteger, static_cast<std::uint64_t>(value));
    };
    if (code == PickleCode::kLong1) return push_long_integer();
    PYROMETER_TRY_VOID(need(code == PickleCode::kBinInt    ? 4
                            : code == PickleCode::kBinInt2 ? 2
                                                           : 1));
    if (code == PickleCode::kBinInt) return push_value(static_cast<std::int32_t>(in_.u32()));
    return push_value(code == PickleCode::kBinInt2 ? in_.u16() : in_.u8());
  }

  // Two's complement of as many bytes as it takes, the lowest first.
  Result<void> push_long_integer() {
    PYROMETER_TRY(const std::uint64_t size, read_number(1));
    PYROMETER_TRY_VOID(need(size));
    const std::string_view digits = in_.bytes(size);
    const bool is_negative = !digits.empty() && (digits.back() & 0x80) != 0;
    std::uint64_t value = is_negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      value = (value << 8) | static_cast<std::uint8_t>(digits[i]);
    }
    if (size > 8) {
      return fail(ErrorCode::kUnsupported, "byte {}: the integer does not fit in 64 bits", start_);
    }
    return push(PickleKind::kInteger, value);
  }

  Result<void> push_real() {
    PYROMETER_TRY(std::uint64_t bits, read_number(8));
    bits = __builtin_bswap64(bits);  // the one number with its highest byte first
    return push(PickleKind::kReal, bits);
  }

  Result<void> push_text(unsigned size_of_size) {
    PYROMETER_TRY(const std::uint64_t size, read_number(size_of_size));
    PYROMETER_TRY_VOID(need(size));
    if (size > kLongestText) {
      return fail(ErrorCode::kTooLarge, "byte {}: the text has {} bytes, more than {}", start_,
                  size, kLongestText);
    }
    const std::size_t begin = offset();
    if (!is_marshal_text(in_.bytes(size))) {
      return fail(ErrorCode::kCorrupt, "byte {}: the text is not UTF-8", start_);
    }
    return push(PickleKind::kText, begin, size);
  }

  // ---- containers

  // Whether that many values lie above the last mark.
  Result<void> need_values(std::size_t count) const {
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - bottom >= count) return {};
    return fail(ErrorCode::kCorrupt, "byte {}: the pickle takes values that are not there", start_);
  }

  Result<std::size_t> pop_mark() {
    if (marks_.empty()) {
      return fail(ErrorCode::kCorrupt, "byte {}: the pickle goes back to a mark that is not there",
                  start_);
    }
    const std::size_t bottom = marks_.back();
    marks_.pop_back();
    return bottom;
  }

  // Moves the values from `first` on out of the stack into the container.
  void take_from_stack(PickleId container, std::size_t first) {
    if (first == stack_.size()) return;
    std::uint64_t& place = document_.nodes_[container.row()].content;
    if (place == kNoElements) {
      place = document_.elements_.size();
      document_.elements_.emplace_back();
    }
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<PickleId>& elements = document_.elements_[place];
    elements.insert(elements.end(), begin, stack_.end());
    stack_.erase(begin, stack_.end());
  }

  Result<void> push_container_from(PickleKind kind, std::size_t first) {
    const auto id = PickleId::from_index(document_.nodes_.size());
    document_.nodes_.push_back({kind, static_cast<std::uint32_t>(start_), 0, kNoElements});
    take_from_stack(id, first);
    stack_.push_back(id);
    return {};
  }

  Result<void> push_tuple(std::size_t size) {
    PYROMETER_TRY_VOID(need_values(size));
    return push_container_from(PickleKind::kTuple, stack_.size() - size);
  }

  Result<void> push_tuple_since_mark() {
    PYROMETER_TRY(const std::size_t first, pop_mark());
    return push_container_from(PickleKind::kTuple, first);
  }

  Result<void> add_to(PickleKind kind, std::size_t count) {
    PYROMETER_TRY_VOID(need_values(count + 1));
    return add_from(kind, stack_.size() - count);
  }

  Result<void> add_since_mark(PickleKind kind) {
    PYROMETER_TRY(const std::size_t first, pop_mark());
    if (kind == PickleKind::kDict && (stack_.size() - first) % 2 != 0) {
      return fail(ErrorCode::kCorrupt, "byte {}: a dict has a key without a value", start_);
    }
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (first <= bottom) {
      return fail(ErrorCode::kCorrupt, "byte {}: the pickle adds to nothing", start_);
    }
    return add_from(kind, first);
  }

  Result<void> add_from(PickleKind kind, std::size_t first) {
    const PickleId container = stack_[first - 1];
    if (document_.kind(container) != kind) {
      return fail(ErrorCode::kCorrupt,
                  "byte {}: the pickle adds to a value that is not of the right kind", start_);
    }
    take_from_stack(container, first);
    return {};
  }

  // ---- the memory

  Result<void> remember(std::uint64_t number) {
    PYROMETER_TRY_VOID(need_values(1));
    memory_.insert_or_assign(static_cast<std::uint32_t>(number), stack_.back());
    next_number_ = static_cast<std::uint32_t>(memory_.size());
    return {};
  }

  Result<void> remember_as(unsigned size_of_number) {
    PYROMETER_TRY(const std::uint64_t number, read_number(size_of_number));
    return remember(number);
  }

  Result<void> recall(unsigned size_of_number) {
    PYROMETER_TRY(const std::uint64_t number, read_number(size_of_number));
    const auto found = memory_.find(static_cast<std::uint32_t>(number));
    if (found == memory_.end()) {
      return fail(ErrorCode::kCorrupt, "byte {}: the pickle refers to value {}, which is not there",
                  start_, number);
    }
    stack_.push_back(found->second);
    return {};
  }

  // ---- the class

  Result<void> push_class(std::string_view module, std::string_view name) {
    const auto& modules = allowed_.modules;
    if (name == allowed_.name &&
        std::find(modules.begin(), modules.end(), module) != modules.end()) {
      return push(PickleKind::kClass);
    }
    const std::string wanted =
        shorten_back(printable(fmt::format("{}.{}", module, name)), kLongestNameShown);
    return fail(ErrorCode::kUnsupported, "byte {}: it would call {}; only {} are read", start_,
                wanted, allowed_.words);
  }

  Result<void> push_named_class() {
    std::string_view parts[2];
    for (std::string_view& part : parts) {
      const std::string_view rest = document_.bytes_.substr(offset());
      const std::size_t end = rest.find('\n');
      PYROMETER_TRY_VOID(need(end == std::string_view::npos ? rest.size() + 1 : end + 1));
      part = in_.bytes(end + 1).substr(0, end);
    }
    return push_class(parts[0], parts[1]);
  }

  Result<void> push_class_of_stack() {
    PYROMETER_TRY_VOID(need_values(2));
    const PickleId name = stack_.back();
    const PickleId module = stack_[stack_.size() - 2];
    if (document_.kind(module) != PickleKind::kText || document_.kind(name) != PickleKind::kText) {
      return fail(ErrorCode::kCorrupt, "byte {}: a class is named by something else than text",
                  start_);
    }
    stack_.resize(stack_.size() - 2, PickleId::none());
    return push_class(document_.text(module), document_.text(name));
  }

  // Nothing is made: class and arguments are put down side by side.
  Result<void> make_object() {
    PYROMETER_TRY_VOID(need_values(2));
    const PickleId arguments = stack_.back();
    const PickleId type = stack_[stack_.size() - 2];
    if (document_.kind(type) != PickleKind::kClass ||
        document_.kind(arguments) != PickleKind::kTuple) {
      return fail(ErrorCode::kUnsupported, "byte {}: it would call something else than {}", start_,
                  allowed_.name);
    }
    PYROMETER_TRY_VOID(push_container_from(PickleKind::kObject, stack_.size() - 1));
    stack_.erase(stack_.end() - 2);
    return {};
  }

  PickleDocument document_;
  ByteReader in_;
  const PickleClass& allowed_;
  std::size_t start_ = 0;  // of the instruction
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;  // heights of the stack
  // Ordered: no choice of numbers makes it slow, and they need not be consecutive.
  std::map<std::uint32_t, PickleId> memory_;
  std::uint32_t next_number_ = 0;
};

std::int64_t PickleDocument::integer(PickleId id) const {
  PYROMETER_CHECK(kind(id) == PickleKind::kInteger);
  return static_cast<std::int64_t>(nodes_[id.row()].content);
}

double PickleDocument::real(PickleId id) const {
  PYROMETER_CHECK(kind(id) == PickleKind::kReal);
  return std::bit_cast<double>(nodes_[id.row()].content);
}

std::string_view PickleDocument::text(PickleId id) const {
  PYROMETER_CHECK(kind(id) == PickleKind::kText);
  return bytes_.substr(nodes_[id.row()].content, nodes_[id.row()].size);
}

std::span<const PickleId> PickleDocument::elements(PickleId id) const {
  PYROMETER_CHECK(is_container(kind(id)));
  const std::uint64_t place = nodes_[id.row()].content;
  if (place == kNoElements) return {};
  return elements_[place];
}

Result<PickleDocument> read_pickle(std::string_view bytes, const PickleClass& allowed) {
  if (bytes.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::kTooLarge, "the file has {} bytes, 4 GiB or more", bytes.size());
  }
  return PickleMachine(bytes, allowed).run();
}

}  // namespace pyrometer
