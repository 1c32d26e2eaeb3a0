#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "base/byte_writer.h"
#include "base/check.h"
#include "formats/marshal_text.h"
#include "formats/pstats_file.h"
#include "formats/pstats_merger.h"

namespace pyrometer {
namespace {

constexpr std::uint8_t kFlagRef = 0x80;  // numbers the value, for a later 'r'

// One entry per label, with names that Python can decode.
PstatsFile merged(const PstatsFile& file) {
  PstatsMerger merger;
  std::vector<std::uint32_t> places;
  for (const PstatsFunction& function : file.functions) {
    const auto name_file = merger.text(to_marshal_text(function.file));
    const auto name = merger.text(to_marshal_text(function.name));
    places.push_back(merger.function(name_file, function.line, name));
    if (function.has_entry) merger.add_cost(places.back(), function.cost);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (PstatsCaller caller : file.functions[i].callers) {
      PYROMETER_CHECK(caller.function < places.size());
      caller.function = places[caller.function];
      merger.add_caller(places[i], caller);
    }
  }
  return merger.finish(file.sampled);
}

// Marshal version 4, which every Python since 3.4 reads. Texts and labels are written
// once and referred to afterwards.
class PstatsEncoder {
 public:
  explicit PstatsEncoder(const PstatsFile& file)
      : file_(file), labels_(file.functions.size(), kUnwritten) {}

  std::string encode() {
    code('{');
    for (std::uint32_t i = 0; i < file_.functions.size(); ++i) {
      if (!file_.functions[i].has_entry) continue;
      write_label(i);
      write_statistics(file_.functions[i]);
    }
    if (file_.sampled) {
      write_tuple(1);
      write_text("__sampled__");
      code('T');
    }
    code('0');
    return out_.take();
  }

 private:
  static constexpr std::uint32_t kUnwritten = std::numeric_limits<std::uint32_t>::max();

  void code(char type) { out_.u8(static_cast<std::uint8_t>(type)); }
  void numbered_code(char type) { out_.u8(static_cast<std::uint8_t>(type) | kFlagRef); }

  void write_tuple(std::uint8_t size) {
    code(')');
    out_.u8(size);
  }

  void write_reference(std::uint32_t number) {
    code('r');
    out_.u32(number);
  }

  void write_integer(std::int64_t value) {
    if (value == static_cast<std::int32_t>(value)) {
      code('i');
      out_.u32(static_cast<std::uint32_t>(value));
      return;
    }
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = value < 0 ? ~bits + 1 : bits;
    const int digits = static_cast<int>(std::bit_width(magnitude) + 14) / 15;
    code('l');
    out_.u32(static_cast<std::uint32_t>(value < 0 ? -digits : digits));
    for (int i = 0; i < digits; ++i) {
      out_.u16(static_cast<std::uint16_t>((magnitude >> (15 * i)) & 0x7fffU));
    }
  }

  void write_real(double value) {
    code('g');
    out_.u64(std::bit_cast<std::uint64_t>(value));
  }

  void write_text(std::string_view text) {
    const auto [number, is_new] = texts_.try_emplace(text, next_number_);
    if (!is_new) return write_reference(number->second);
    ++next_number_;
    const bool is_ascii = std::none_of(text.begin(), text.end(), [](char c) { return c & 0x80; });
    if (is_ascii && text.size() <= 0xff) {
      numbered_code('z');
      out_.u8(static_cast<std::uint8_t>(text.size()));
    } else {
      PYROMETER_CHECK(text.size() <= std::numeric_limits<std::int32_t>::max());
      numbered_code('u');
      out_.u32(static_cast<std::uint32_t>(text.size()));
    }
    out_.raw(text);
  }

  void write_label(std::uint32_t index) {
    if (labels_[index] != kUnwritten) return write_reference(labels_[index]);
    labels_[index] = next_number_++;  // a tuple is numbered before its parts
    const PstatsFunction& function = file_.functions[index];
    numbered_code(')');
    out_.u8(3);
    write_text(function.file);
    write_integer(function.line);
    write_text(function.name);
  }

  void write_statistics(const PstatsFunction& function) {
    write_tuple(5);
    write_integer(function.cost.primitive_calls);
    write_integer(function.cost.calls);
    write_real(function.cost.self_seconds);
    write_real(function.cost.total_seconds);
    code('{');
    for (const PstatsCaller& caller : function.callers) {
      write_label(caller.function);
      write_caller(caller);
    }
    code('0');
  }

  void write_caller(const PstatsCaller& caller) {
    if (!caller.has_times) return write_integer(caller.cost.calls);
    write_tuple(4);
    write_integer(caller.cost.calls);  // before the primitive ones, unlike above
    write_integer(caller.cost.primitive_calls);
    write_real(caller.cost.self_seconds);
    write_real(caller.cost.total_seconds);
  }

  const PstatsFile& file_;
  ByteWriter out_;
  std::uint32_t next_number_ = 0;
  std::map<std::string_view, std::uint32_t> texts_;
  std::vector<std::uint32_t> labels_;  // the number of each label, once written
};

}  // namespace

std::string write_pstats(const PstatsFile& file) { return PstatsEncoder(merged(file)).encode(); }

}  // namespace pyrometer
