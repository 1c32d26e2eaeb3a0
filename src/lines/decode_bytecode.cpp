#include <algorithm>

#include "lines/bytecode.h"

namespace pyrometer {
namespace {

Result<void> bad_code(const char* what) {
  return fail(ErrorCode::kUnsupported, "its bytecode is unusual: {}", what);
}

// Numbers of 6 bits per byte, the highest first.
class ExceptionTable {
 public:
  explicit ExceptionTable(std::string_view table) : table_(table) {}
  bool at_end() const { return position_ == table_.size(); }
  bool number(std::uint32_t& value) {
    value = 0;
    for (int digits = 0; digits < 5 && !at_end(); ++digits) {
      const auto byte = static_cast<std::uint8_t>(table_[position_++]);
      value = (value << 6U) | (byte & 0x3fU);
      if ((byte & 0x40U) == 0) return true;
    }
    return false;
  }

 private:
  std::string_view table_;
  std::size_t position_ = 0;
};

struct Decoder {
  const CodeTables& tables;
  const Opcodes& opcodes;
  Bytecode& result;
  std::vector<std::uint32_t> at_unit{};  // the instruction that begins there
  std::vector<std::uint32_t> end_units{};

  Result<void> instructions() {
    const auto units = static_cast<std::uint32_t>(tables.code.size() / 2);
    at_unit.assign(units + 1, kNoInstruction);
    std::uint32_t argument = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t unit = 0; unit < units;) {
      const auto opcode = static_cast<Opcodes::Opcode>(tables.code[std::size_t{2} * unit]);
      argument =
          (argument << 8U) | static_cast<std::uint8_t>(tables.code[std::size_t{2} * unit + 1]);
      if (opcode == opcodes.extended_arg) {
        ++unit;
        continue;
      }
      at_unit[begin] = static_cast<std::uint32_t>(result.instructions.size());
      unit += 1U + opcodes.cache_units[opcode];
      result.instructions.push_back({.opcode = opcode, .argument = argument});
      end_units.push_back(unit);
      begin = unit;
      argument = 0;
    }
    if (begin != units || result.instructions.empty()) return bad_code("it ends too early");
    at_unit[units] = static_cast<std::uint32_t>(result.instructions.size());
    return {};
  }

  Result<void> jumps() {
    for (std::size_t i = 0; i < result.instructions.size(); ++i) {
      Instruction& instruction = result.instructions[i];
      const auto reference = opcodes.reference[instruction.opcode];
      if (reference == Opcodes::Reference::kNone) continue;
      const std::uint32_t end = end_units[i];
      const bool is_forward = reference == Opcodes::Reference::kForward;
      if (is_forward ? instruction.argument >= at_unit.size() - end : instruction.argument > end) {
        return bad_code("a jump leads out of it");
      }
      instruction.target =
          at_unit[is_forward ? end + instruction.argument : end - instruction.argument];
      if (instruction.target >= result.instructions.size()) {
        return bad_code("a jump leads into an instruction");
      }
    }
    return {};
  }

  void places() {
    const std::vector<SourceRange> ranges = decode_line_table(tables.lines, result.first_line);
    std::size_t range = 0;
    for (std::size_t i = 0; i < result.instructions.size(); ++i) {
      const std::uint32_t last_unit = end_units[i] - 1;
      while (range + 1 < ranges.size() && ranges[range + 1].instruction <= last_unit) ++range;
      if (!ranges.empty()) result.instructions[i].place = ranges[range];
    }
  }

  Result<void> handlers() {
    result.handlers.assign(result.instructions.size(), {});
    ExceptionTable table(tables.exceptions);
    while (!table.at_end()) {
      std::uint32_t begin = 0, size = 0, target = 0, depth = 0;
      if (!table.number(begin) || !table.number(size) || !table.number(target) ||
          !table.number(depth)) {
        return bad_code("its exception table ends too early");
      }
      const std::uint64_t units = at_unit.size() - 1;
      if (std::uint64_t{begin} + size > units || target >= units ||
          at_unit[begin] == kNoInstruction || at_unit[begin + size] == kNoInstruction ||
          at_unit[target] == kNoInstruction) {
        return bad_code("its exception table does not fit");
      }
      for (std::uint32_t i = at_unit[begin]; i < at_unit[begin + size]; ++i) {
        if (result.handlers[i].target != kNoInstruction) continue;  // the first one counts
        result.handlers[i] = {at_unit[target], depth >> 1U, (depth & 1U) != 0};
      }
    }
    return {};
  }
};

}  // namespace

Result<Bytecode> decode_bytecode(const CodeTables& tables, std::uint32_t first_line,
                                 const Opcodes& opcodes) {
  Bytecode result{.first_line = first_line};
  Decoder decoder{tables, opcodes, result};
  for (const auto step : {&Decoder::instructions, &Decoder::jumps, &Decoder::handlers}) {
    if (const auto done = (decoder.*step)(); !done) return tl::unexpected(done.error());
  }
  decoder.places();
  return result;
}

}  // namespace pyrometer
