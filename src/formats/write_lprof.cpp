#include <bit>
#include <limits>
#include <map>

#include "base/byte_writer.h"
#include "base/check.h"
#include "formats/lprof_file.h"
#include "formats/marshal_text.h"
#include "formats/pickle_codes.h"

namespace pyrometer {
namespace {

// Protocol 4, which every Python since 3.4 reads, without frames: those are optional. The class
// is named as line_profiler up to 5.0.0 does, which the later ones know as well.
class LprofEncoder {
 public:
  std::string encode(const LprofFile& file) {
    code(PickleCode::kProtocol);
    out_.u8(4);
    write_text("line_profiler._line_profiler");
    write_text("LineStats");
    code(PickleCode::kStackGlobal);
    code(PickleCode::kEmptyTuple);
    code(PickleCode::kNewObject);
    code(PickleCode::kEmptyDict);
    code(PickleCode::kMark);
    write_text("timings");
    code(PickleCode::kEmptyDict);
    code(PickleCode::kMark);
    for (const LprofFunction& function : file.functions) write_function(function);
    code(PickleCode::kSetItems);
    write_text("unit");
    code(PickleCode::kBinFloat);
    out_.u64(__builtin_bswap64(std::bit_cast<std::uint64_t>(file.unit)));
    code(PickleCode::kSetItems);
    code(PickleCode::kBuild);
    code(PickleCode::kStop);
    return out_.take();
  }

 private:
  void code(PickleCode code) { out_.u8(static_cast<std::uint8_t>(code)); }

  void write_text(std::string_view raw) {
    const std::string text = to_marshal_text(raw);
    const auto [number, is_new] =
        texts_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (!is_new) {
      write_reference(number->second);
      return;
    }
    if (text.size() <= 0xff) {
      code(PickleCode::kShortBinUnicode);
      out_.u8(static_cast<std::uint8_t>(text.size()));
    } else {
      PYROMETER_CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max());
      code(PickleCode::kBinUnicode);
      out_.u32(static_cast<std::uint32_t>(text.size()));
    }
    out_.raw(text);
    code(PickleCode::kMemoize);
  }

  void write_reference(std::uint32_t number) {
    if (number <= 0xff) {
      code(PickleCode::kBinGet);
      out_.u8(static_cast<std::uint8_t>(number));
    } else {
      code(PickleCode::kLongBinGet);
      out_.u32(number);
    }
  }

  void write_integer(std::int64_t value) {
    if (value == static_cast<std::uint8_t>(value)) {
      code(PickleCode::kBinInt1);
      out_.u8(static_cast<std::uint8_t>(value));
    } else if (value == static_cast<std::uint16_t>(value)) {
      code(PickleCode::kBinInt2);
      out_.u16(static_cast<std::uint16_t>(value));
    } else if (value == static_cast<std::int32_t>(value)) {
      code(PickleCode::kBinInt);
      out_.u32(static_cast<std::uint32_t>(value));
    } else {
      code(PickleCode::kLong1);
      out_.u8(8);
      out_.u64(static_cast<std::uint64_t>(value));
    }
  }

  void write_function(const LprofFunction& function) {
    write_text(function.file);
    write_integer(function.first_line);
    write_text(function.name);
    code(PickleCode::kTuple3);
    code(PickleCode::kEmptyList);
    code(PickleCode::kMark);
    for (const LprofLine& line : function.lines) {
      write_integer(line.line);
      write_integer(line.hits);
      write_integer(line.time);
      code(PickleCode::kTuple3);
    }
    code(PickleCode::kAppends);
  }

  ByteWriter out_;
  std::map<std::string, std::uint32_t> texts_;  // by the number that each was memoized as
};

}  // namespace

std::string write_lprof(const LprofFile& file) { return LprofEncoder().encode(file); }

}  // namespace pyrometer
