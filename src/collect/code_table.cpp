#include "collect/code_table.h"

#include <algorithm>
#include <array>

namespace pyrometer {
namespace {

struct PackedCode {
  std::uint32_t number;
  std::uint32_t first_line;
  std::array<std::uint32_t, 4> sizes;  // name, qualified name, file, line table
  std::array<std::uint8_t, 4> widths;
};

std::uint64_t hash_bytes(std::uint64_t hash, const char* bytes, std::size_t size) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  for (std::size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<std::uint8_t>(bytes[i])) * kPrime;
  }
  return hash;
}

// The last bytes of a text: names of generated code differ there.
template <class Memory>
std::uint64_t hash_text(Memory& memory, std::uint64_t hash, const ObjectText& text) {
  constexpr std::uint32_t kHashed = 32;
  std::array<char, kHashed> bytes{};
  const std::uint32_t size = std::min(text.size, kHashed);
  if (size == 0 || !memory.copy(text.data + text.size - size, bytes.data(), size)) return hash;
  return hash_bytes(hash, bytes.data(), size);
}

}  // namespace

CodeTable::CodeTable(const Layout& layout, bool deaths_are_reported, bool (*may_die_unheard)())
    : layout_(layout),
      deaths_are_reported_(deaths_are_reported),
      may_die_unheard_(may_die_unheard),
      slots_(kSlots * sizeof(Slot)),
      ring_(kRingSize) {}

template <class Memory>
std::uint64_t CodeTable::fingerprint_of_content(Memory& memory, const CodeFacts& facts) {
  std::uint64_t hash = hash_text(memory, facts.fingerprint, facts.qualified_name);
  return hash_text(memory, hash, facts.file);
}

template <class Memory>
std::uint32_t CodeTable::identify(Memory& memory, std::uintptr_t code) {
  CodeObjectReader reader(memory, layout_);
  std::optional<CodeFacts> facts;
  std::uint64_t wanted = 0;
  if (deaths_are_reported()) {  // the common case reads four pointers and no text
    const auto quick = reader.fingerprint(code);
    if (!quick) return kUnknown;
    wanted = *quick;
  } else {
    facts = reader.facts(code);
    if (!facts) return kUnknown;
    wanted = fingerprint_of_content(memory, *facts);
  }
  Slot* free = nullptr;
  std::uintptr_t free_value = kEmpty;
  const std::size_t first = first_slot(code);
  for (std::size_t i = 0; i < kProbes; ++i) {
    Slot& slot = slots()[(first + i) % kSlots];
    const std::uintptr_t held = slot.code.load(std::memory_order_acquire);
    if (held == code) {
      const auto number = slot.number.load(std::memory_order_relaxed);
      if (slot.fingerprint.load(std::memory_order_relaxed) == wanted &&
          slot.code.load(std::memory_order_acquire) == code) {
        return number;
      }
      free = &slot;
      free_value = code;
      break;
    }
    if (free == nullptr && (held == kEmpty || held == kForgotten)) {
      free = &slot;
      free_value = held;
    }
    if (held == kEmpty) break;
  }
  if (!facts) facts = reader.facts(code);
  if (!facts) return kUnknown;
  const std::uint32_t number = facts->is_init_shim ? kShim : copy(memory, *facts);
  // A slot another thread takes first is no loss: the copy made here stands on its own.
  if (number != kUnknown && free != nullptr) remember(free, free_value, code, wanted, number);
  return number;
}

void CodeTable::remember(Slot* slot, std::uintptr_t expected, std::uintptr_t code,
                         std::uint64_t fingerprint, std::uint32_t number) {
  if (!slot->code.compare_exchange_strong(expected, kBusy, std::memory_order_acq_rel)) return;
  slot->fingerprint.store(fingerprint, std::memory_order_relaxed);
  slot->number.store(number, std::memory_order_relaxed);
  slot->code.store(code, std::memory_order_release);
}

template <class Memory>
std::uint32_t CodeTable::copy(Memory& memory, const CodeFacts& facts) {
  const std::array<const ObjectText*, 4> texts = {&facts.name, &facts.qualified_name, &facts.file,
                                                  &facts.line_table};
  PackedCode packed{.number = 0, .first_line = facts.first_line, .sizes = {}, .widths = {}};
  std::size_t size = sizeof(packed);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    packed.sizes[i] = texts[i]->size;
    packed.widths[i] = texts[i]->character_width;
    size += texts[i]->size;
  }
  char* message = ring_.reserve(size);
  if (message == nullptr) return kUnknown;
  packed.number = next_number_.fetch_add(1, std::memory_order_relaxed);
  std::memcpy(message, &packed, sizeof(packed));
  char* to = message + sizeof(packed);
  for (const ObjectText* text : texts) {
    if (!memory.copy(text->data, to, text->size)) std::memset(to, '?', text->size);
    to += text->size;
  }
  ring_.commit(message);
  return packed.number;
}

CodeCopy CodeTable::unpack(std::string_view message) {
  PackedCode packed{};
  std::memcpy(&packed, message.data(), sizeof(packed));
  message.remove_prefix(sizeof(packed));
  const auto next = [&](std::size_t i) {
    const std::string_view bytes = message.substr(0, packed.sizes[i]);
    message.remove_prefix(packed.sizes[i]);
    return bytes;
  };
  CodeCopy copy{.number = packed.number};
  copy.first_line = packed.first_line;
  copy.name = text_to_utf8(next(0), packed.widths[0]);
  copy.qualified_name = text_to_utf8(next(1), packed.widths[1]);
  copy.file = text_to_utf8(next(2), packed.widths[2]);
  copy.line_table = next(3);
  return copy;
}

std::uint32_t CodeTable::number_at(std::uintptr_t code) const {
  const std::size_t first = first_slot(code);
  for (std::size_t i = 0; i < kProbes; ++i) {
    const Slot& slot = slots()[(first + i) % kSlots];
    const std::uintptr_t held = slot.code.load(std::memory_order_acquire);
    if (held == code) return slot.number.load(std::memory_order_relaxed);
    if (held == kEmpty) break;
  }
  return kUnknown;
}

void CodeTable::forget(std::uintptr_t code) {
  const std::size_t first = first_slot(code);
  for (std::size_t i = 0; i < kProbes; ++i) {
    Slot& slot = slots()[(first + i) % kSlots];
    const std::uintptr_t held = slot.code.load(std::memory_order_acquire);
    if (held == kEmpty) return;
    if (held == code) {
      std::uintptr_t expected = code;
      slot.code.compare_exchange_strong(expected, kForgotten, std::memory_order_acq_rel);
      deaths_.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

template std::uint32_t CodeTable::identify(OwnMemory&, std::uintptr_t);
template std::uint32_t CodeTable::identify(OtherThreadMemory&, std::uintptr_t);

}  // namespace pyrometer
