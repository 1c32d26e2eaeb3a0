// What a code object says of itself, found without calling the interpreter: names, file,
// first line, line table. Only as good as the memory it is read through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cpython/layout.h"
#include "cpython/memory.h"

namespace pyrometer {

// A string or bytes object: where its content lies and how wide its characters are.
struct ObjectText {
  std::uintptr_t data = 0;
  std::uint32_t size = 0;            // bytes
  std::uint8_t character_width = 1;  // 1 (Latin-1), 2 or 4
};

struct CodeFacts {
  ObjectText name, qualified_name, file, line_table;
  std::uint32_t first_line = 0;
  std::uint64_t fingerprint = 0;  // tells code objects at one address apart
  // The helper frame some versions put below __init__; the program never wrote it.
  bool is_init_shim = false;
};

template <class Memory>
class CodeObjectReader {
 public:
  CodeObjectReader(Memory& memory, const Layout& layout) : memory_(memory), layout_(layout) {}

  std::optional<std::uint64_t> fingerprint(std::uintptr_t code) {
    const auto fields = read_fields(code);
    if (!fields) return std::nullopt;
    return mix(*fields);
  }

  std::optional<CodeFacts> facts(std::uintptr_t code) {
    const auto fields = read_fields(code);
    const char* at = memory_.view(code, layout_.code.instructions);
    if (!fields || at == nullptr) return std::nullopt;
    const auto name = load<std::uintptr_t>(at, layout_.code.name);
    CodeFacts facts;
    facts.first_line = fields->first_line;
    facts.fingerprint = mix(*fields);
    if (!read_text(name, facts.name) || !read_text(fields->qualified_name, facts.qualified_name) ||
        !read_text(fields->file, facts.file) || !read_bytes(fields->line_table, facts.line_table)) {
      return std::nullopt;
    }
    facts.is_init_shim = fields->first_line == 0 && fields->file == fields->qualified_name;
    return facts;
  }

 private:
  struct Fields {
    std::uintptr_t qualified_name = 0, file = 0, line_table = 0;
    std::uint32_t first_line = 0;
  };

  std::optional<Fields> read_fields(std::uintptr_t code) {
    const char* at = memory_.view(code, layout_.code.instructions);
    if (at == nullptr) return std::nullopt;
    return Fields{.qualified_name = load<std::uintptr_t>(at, layout_.code.qualified_name),
                  .file = load<std::uintptr_t>(at, layout_.code.file),
                  .line_table = load<std::uintptr_t>(at, layout_.code.line_table),
                  .first_line = load<std::uint32_t>(at, layout_.code.first_line)};
  }

  static std::uint64_t mix(const Fields& fields) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = fields.qualified_name;
    hash = (hash ^ (hash >> 29U)) * kOdd + fields.file;
    hash = (hash ^ (hash >> 29U)) * kOdd + fields.line_table;
    hash = (hash ^ (hash >> 29U)) * kOdd + fields.first_line;
    return hash;
  }

  bool read_text(std::uintptr_t object, ObjectText& out) {
    if (object == 0) return false;
    const char* at = memory_.view(object, layout_.text.compact_data);
    if (at == nullptr) return false;
    const auto state = load<std::uint32_t>(at, layout_.text.state);
    const auto length = load<std::int64_t>(at, layout_.text.length);
    const std::uint32_t width = (state >> 2U) & 7U;
    const bool is_compact = ((state >> 5U) & 1U) != 0;
    const bool is_ascii = ((state >> 6U) & 1U) != 0;
    if (!is_compact || length < 0 || (width != 1 && width != 2 && width != 4)) return false;
    out.character_width = static_cast<std::uint8_t>(width);
    out.size = static_cast<std::uint32_t>(std::min<std::int64_t>(length, kLongestText)) * width;
    out.data = object + (is_ascii ? layout_.text.ascii_data : layout_.text.compact_data);
    return true;
  }

  bool read_bytes(std::uintptr_t object, ObjectText& out) {
    if (object == 0) return false;
    const char* at = memory_.view(object, layout_.bytes.data);
    if (at == nullptr) return false;
    const auto size = load<std::int64_t>(at, layout_.bytes.size);
    if (size < 0) return false;
    out.size = static_cast<std::uint32_t>(std::min<std::int64_t>(size, kLongestTable));
    out.data = object + layout_.bytes.data;
    return true;
  }

  static constexpr std::int64_t kLongestText = 4096;        // characters
  static constexpr std::int64_t kLongestTable = 128 << 10;  // about 30,000 source lines

  Memory& memory_;
  const Layout& layout_;
};

// The characters of a string object as UTF-8; lone surrogates become U+FFFD.
std::string text_to_utf8(std::string_view characters, std::uint8_t character_width);

}  // namespace pyrometer
