#include <algorithm>

#include "lines/bytecode.h"

namespace pyrometer {
namespace {

std::uint32_t extensions_for(std::uint32_t argument) {
  return argument < (1U << 8U) ? 0 : argument < (1U << 16U) ? 1 : argument < (1U << 24U) ? 2 : 3;
}

struct Encoder {
  Bytecode& bytecode;
  const Opcodes& opcodes;
  std::vector<std::uint32_t> extensions{};  // by instruction
  std::vector<std::uint32_t> begins{};      // by instruction, and the end

  std::uint32_t units_of(std::size_t i) const {
    return extensions[i] + 1U + opcodes.cache_units[bytecode.instructions[i].opcode];
  }

  // A longer jump may push others over the limit of one byte: repeated until nothing grows.
  Result<void> lay_out() {
    const std::size_t count = bytecode.instructions.size();
    for (const Instruction& each : bytecode.instructions) {
      extensions.push_back(each.target == kNoInstruction ? extensions_for(each.argument) : 0);
    }
    begins.resize(count + 1);
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      begins[0] = 0;
      for (std::size_t i = 0; i < count; ++i) begins[i + 1] = begins[i] + units_of(i);
      for (std::size_t i = 0; i < count; ++i) {
        Instruction& each = bytecode.instructions[i];
        if (each.target == kNoInstruction) continue;
        const std::uint32_t from = begins[i + 1];
        const std::uint32_t to = begins[each.target];
        const bool is_forward = opcodes.reference[each.opcode] == Opcodes::Reference::kForward;
        if (is_forward ? to < from : to > from) {
          return fail(ErrorCode::kUnsupported, "its bytecode is unusual: a jump turned round");
        }
        each.argument = is_forward ? to - from : from - to;
        if (extensions_for(each.argument) <= extensions[i]) continue;
        extensions[i] = extensions_for(each.argument);
        has_grown = true;
      }
    }
    return {};
  }

  std::string code() const {
    std::string bytes;
    bytes.reserve(std::size_t{2} * begins.back());
    for (std::size_t i = 0; i < bytecode.instructions.size(); ++i) {
      const Instruction& each = bytecode.instructions[i];
      for (std::uint32_t left = extensions[i]; left > 0; --left) {
        bytes += static_cast<char>(opcodes.extended_arg);
        bytes += static_cast<char>((each.argument >> (8U * left)) & 0xffU);
      }
      bytes += static_cast<char>(each.opcode);
      bytes += static_cast<char>(each.argument & 0xffU);
      bytes.append(std::size_t{2} * opcodes.cache_units[each.opcode], '\0');
    }
    return bytes;
  }

  // The kinds of entries, as PEP 657 numbers them; the general ones are enough.
  static constexpr std::uint32_t kNoColumns = 13, kLong = 14, kNoLocation = 15;
  static constexpr std::uint32_t kMostUnits = 8;  // per entry

  static void append_number(std::string& table, std::uint32_t value) {
    for (; value >= 0x40U; value >>= 6U) table += static_cast<char>((value & 0x3fU) | 0x40U);
    table += static_cast<char>(value);
  }
  static void append_signed(std::string& table, std::int64_t value) {
    const auto magnitude = static_cast<std::uint32_t>(value < 0 ? -value : value);
    append_number(table, (magnitude << 1U) | (value < 0 ? 1U : 0U));
  }

  std::string lines() const {
    std::string table;
    std::int64_t line = bytecode.first_line;
    for (std::size_t i = 0; i < bytecode.instructions.size(); ++i) {
      const SourceRange& place = bytecode.instructions[i].place;
      for (std::uint32_t left = begins[i + 1] - begins[i]; left > 0;) {
        const std::uint32_t units = std::min(left, kMostUnits);
        left -= units;
        const std::uint32_t kind = !place.has_location ? kNoLocation
                                   : place.column < 0  ? kNoColumns
                                                       : kLong;
        table += static_cast<char>(0x80U | (kind << 3U) | (units - 1));
        if (kind == kNoLocation) continue;
        append_signed(table, std::int64_t{place.line} - line);
        line = place.line;
        if (kind == kNoColumns) continue;
        append_number(table, place.end_line - place.line);
        append_number(table, static_cast<std::uint32_t>(place.column + 1));
        append_number(table, static_cast<std::uint32_t>(place.end_column + 1));
      }
    }
    return table;
  }

  // The highest digits first; the first byte of an entry is marked.
  static void append_digits(std::string& table, std::uint32_t value, std::uint32_t mark = 0) {
    std::uint32_t shift = 0;
    while (shift < 24 && (value >> (shift + 6U)) != 0) shift += 6;
    for (;; shift -= 6) {
      const std::uint32_t more = shift > 0 ? 0x40U : 0;
      table += static_cast<char>(((value >> shift) & 0x3fU) | more | mark);
      mark = 0;
      if (shift == 0) return;
    }
  }

  std::string exceptions() const {
    std::string table;
    const std::size_t count = bytecode.instructions.size();
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      const Handler& handler = bytecode.handlers[begin];
      for (end = begin + 1; end < count && bytecode.handlers[end] == handler;) ++end;
      if (handler.target == kNoInstruction) continue;
      append_digits(table, begins[begin], 0x80U);
      append_digits(table, begins[end] - begins[begin]);
      append_digits(table, begins[handler.target]);
      append_digits(table, (handler.depth << 1U) | (handler.keeps_position ? 1U : 0U));
    }
    return table;
  }
};

}  // namespace

Result<CodeTables> encode_bytecode(Bytecode bytecode, const Opcodes& opcodes) {
  Encoder encoder{bytecode, opcodes};
  if (const auto done = encoder.lay_out(); !done) return tl::unexpected(done.error());
  return CodeTables{encoder.code(), encoder.lines(), encoder.exceptions()};
}

}  // namespace pyrometer
