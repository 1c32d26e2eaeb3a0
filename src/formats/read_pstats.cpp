#include <cmath>
#include <limits>

#include "base/byte_reader.h"
#include "formats/marshal_reader.h"
#include "formats/pstats_file.h"
#include "formats/pstats_merger.h"

namespace pyrometer {
namespace {

constexpr std::string_view kSampledMark = "__sampled__";

// Back references let a file name the same callers or the same long text again and
// again for five bytes. Without them a caller takes more than a byte, so this many are
// enough for every honest file; a path of 4,096 bytes in each entry stays below the other.
std::size_t most_callers(std::size_t file_size) { return file_size; }
std::size_t most_text(std::size_t file_size) { return (std::size_t{16} << 20) + 32 * file_size; }

class PstatsDecoder {
 public:
  PstatsDecoder(const MarshalDocument& document, std::size_t file_size)
      : document_(document),
        known_(document.size(), kUnknown),
        callers_left_(most_callers(file_size)),
        text_left_(most_text(file_size)) {}

  Result<PstatsFile> decode() {
    if (document_.kind(document_.root()) != MarshalKind::kDict) {
      return fail(ErrorCode::kCorrupt,
                  "the Python value at byte 0 is not the dict of a cProfile file");
    }
    const auto entries = document_.elements(document_.root());
    // All labels first, so that functions keep the order of the file and callers that
    // have no entry come after them.
    std::vector<std::uint32_t> functions;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      if (is_sampled_mark(entries[i])) {
        sampled_ = true;
        functions.push_back(kUnknown);
      } else {
        PYROMETER_TRY(const std::uint32_t function, read_label(entries[i]));
        functions.push_back(function);
      }
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i] == kUnknown) continue;
      PYROMETER_TRY_VOID(read_statistics(functions[i], entries[2 * i + 1]));
    }
    return merger_.finish(sampled_);
  }

 private:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

  bool is_tuple(MarshalId id, std::size_t size) const {
    return document_.kind(id) == MarshalKind::kTuple && document_.elements(id).size() == size;
  }

  bool is_sampled_mark(MarshalId key) const {
    if (!is_tuple(key, 1)) return false;
    const MarshalId text = document_.elements(key).front();
    return document_.kind(text) == MarshalKind::kText && document_.text(text) == kSampledMark;
  }

  PstatsMerger::TextNumber read_text(MarshalId id) {
    std::uint32_t& number = known_[id.row()];
    if (number == kUnknown) number = merger_.text(document_.text(id));
    return number;
  }

  Result<std::uint32_t> read_label(MarshalId key) {
    if (known_[key.row()] != kUnknown && is_tuple(key, 3)) return known_[key.row()];
    const auto malformed = [&] {
      return fail(ErrorCode::kCorrupt, "the key at byte {} is not (file name, line, function name)",
                  document_.offset(key));
    };
    if (!is_tuple(key, 3)) return malformed();
    const auto parts = document_.elements(key);
    if (document_.kind(parts[0]) != MarshalKind::kText ||
        document_.kind(parts[1]) != MarshalKind::kInteger ||
        document_.kind(parts[2]) != MarshalKind::kText) {
      return malformed();
    }
    const auto line = static_cast<std::int32_t>(document_.integer(parts[1]));
    if (line != document_.integer(parts[1])) return malformed();

    const std::size_t count_before = merger_.function_count();
    const std::uint32_t function = merger_.function(read_text(parts[0]), line, read_text(parts[2]));
    if (merger_.function_count() != count_before) {
      const std::size_t text = document_.text(parts[0]).size() + document_.text(parts[2]).size();
      if (text > text_left_) {
        return fail(ErrorCode::kTooLarge,
                    "the names up to byte {} repeat the same long texts without end",
                    document_.offset(key));
      }
      text_left_ -= text;
    }
    known_[key.row()] = function;
    return function;
  }

  Result<std::int64_t> read_count(MarshalId id, MarshalId around) const {
    if (document_.kind(id) == MarshalKind::kInteger) return document_.integer(id);
    return fail(ErrorCode::kCorrupt, "the statistics at byte {} have a count that is no integer",
                document_.offset(around));
  }

  // The old profile module writes the integer 0 for a time that never was measured.
  Result<double> read_seconds(MarshalId id, MarshalId around) const {
    if (document_.kind(id) == MarshalKind::kInteger) {
      return static_cast<double>(document_.integer(id));
    }
    if (document_.kind(id) != MarshalKind::kReal) {
      return fail(ErrorCode::kCorrupt, "the statistics at byte {} have a time that is no number",
                  document_.offset(around));
    }
    const double seconds = document_.real(id);
    if (std::isfinite(seconds)) return seconds;
    return fail(ErrorCode::kCorrupt, "the statistics at byte {} have a time that is {}",
                document_.offset(around), std::isnan(seconds) ? "not a number" : "infinite");
  }

  Result<PstatsCost> read_cost(MarshalId around, std::size_t calls, std::size_t primitive) const {
    const auto parts = document_.elements(around);
    PstatsCost cost;
    PYROMETER_TRY(cost.calls, read_count(parts[calls], around));
    PYROMETER_TRY(cost.primitive_calls, read_count(parts[primitive], around));
    PYROMETER_TRY(cost.self_seconds, read_seconds(parts[2], around));
    PYROMETER_TRY(cost.total_seconds, read_seconds(parts[3], around));
    return cost;
  }

  Result<void> read_statistics(std::uint32_t function, MarshalId value) {
    if (!is_tuple(value, 5) || document_.kind(document_.elements(value)[4]) != MarshalKind::kDict) {
      return fail(ErrorCode::kCorrupt,
                  "the statistics at byte {} are not two counts, two times and the callers",
                  document_.offset(value));
    }
    PYROMETER_TRY(const PstatsCost cost, read_cost(value, 1, 0));
    merger_.add_cost(function, cost);
    const auto callers = document_.elements(document_.elements(value)[4]);
    if (callers.size() / 2 > callers_left_) {
      return fail(ErrorCode::kTooLarge, "the callers at byte {} repeat earlier ones without end",
                  document_.offset(value));
    }
    callers_left_ -= callers.size() / 2;
    for (std::size_t i = 0; i < callers.size(); i += 2) {
      PYROMETER_TRY(PstatsCaller caller, read_caller(callers[i + 1], value));
      PYROMETER_TRY(caller.function, read_label(callers[i]));
      merger_.add_caller(function, caller);
    }
    return {};
  }

  Result<PstatsCaller> read_caller(MarshalId value, MarshalId around) const {
    PstatsCaller caller;
    if (is_tuple(value, 4)) {
      PYROMETER_TRY(caller.cost, read_cost(value, 0, 1));
    } else {
      PYROMETER_TRY(caller.cost.calls, read_count(value, around));
      caller.has_times = false;
    }
    return caller;
  }

  const MarshalDocument& document_;
  PstatsMerger merger_;
  // By node: the number of a text or the index of a label, so that each is read once.
  std::vector<std::uint32_t> known_;
  std::size_t callers_left_;
  std::size_t text_left_;
  bool sampled_ = false;
};

}  // namespace

Result<PstatsFile> read_pstats(std::string_view bytes) {
  PYROMETER_TRY(const MarshalDocument document, read_marshal(bytes));
  return PstatsDecoder(document, bytes.size()).decode();
}

bool looks_like_pstats(std::string_view prefix) {
  ByteReader in(prefix);
  const auto type = [&] { return static_cast<char>(in.u8() & 0x7fU); };
  if (type() != '{') return false;
  if (prefix.substr(1) == "0") return true;  // no functions
  const char tuple = type();
  const std::uint32_t parts = tuple == ')' ? in.u8() : tuple == '(' ? in.u32() : 0;
  const char text = type();
  if (!in.ok() || std::string_view("utaAzZ").find(text) == std::string_view::npos) return false;
  const std::uint32_t size = text == 'z' || text == 'Z' ? in.u8() : in.u32();
  if (parts == 1) return in.ok() && in.bytes(size) == kSampledMark;
  if (parts != 3 || !in.ok()) return false;
  in.bytes(size);
  const char line = type();
  // Not ok: a long file name goes on after the prefix.
  return !in.ok() || line == 'i' || line == 'l';
}

}  // namespace pyrometer
