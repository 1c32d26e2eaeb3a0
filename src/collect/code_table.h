// Gives each code object a number that is never given again, although the interpreter uses
// its address again all the time. Names and line tables are copied the moment a code object is
// first seen (a frame keeps it alive then) and travel to the recorder through a ring.
//
// identify() may run in signal handlers of several threads at once. forget() runs when the
// interpreter destroys a code object; where it cannot tell us (3.11, and other interpreters in the
// same process), the content itself is compared.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "collect/byte_ring.h"
#include "cpython/code_object.h"
#include "cpython/layout.h"
#include "os/pages.h"

namespace pyrometer {

// A code object as copied at first sight.
struct CodeCopy {
  std::uint32_t number = 0;
  std::string name, qualified_name, file;
  std::uint32_t first_line = 0;
  std::string line_table;
};

class CodeTable {
 public:
  static constexpr std::uint32_t kUnknown = 0;  // there was no room to copy it
  static constexpr std::uint32_t kShim = 1;     // a frame the program did not write
  static constexpr std::uint32_t kDeeper = 2;   // stands for frames too deep to be looked at

  // `may_die_unheard`: whether there is code now whose end nobody reports; called in handlers.
  CodeTable(const Layout& layout, bool deaths_are_reported, bool (*may_die_unheard)() = nullptr);

  template <class Memory>
  std::uint32_t identify(Memory& memory, std::uintptr_t code);

  // The number of the code object at this address, as far as we know; kUnknown: never seen.
  std::uint32_t number_at(std::uintptr_t code) const;
  bool knows(std::uintptr_t code) const { return number_at(code) != kUnknown; }

  void forget(std::uintptr_t code);
  // Once not, never again: what was seen meanwhile may have died since.
  bool deaths_are_reported() {
    if (!deaths_are_reported_.load(std::memory_order_relaxed)) return false;
    if (may_die_unheard_ == nullptr || !may_die_unheard_()) return true;
    deaths_are_reported_.store(false, std::memory_order_relaxed);
    return false;
  }
  // How often code we knew was forgotten: what is remembered of addresses holds until this changes.
  std::uint64_t deaths() const { return deaths_.load(std::memory_order_relaxed); }

  // What was copied since the last time. For the recorder's thread only.
  template <class Consume>
  void drain(Consume&& consume) {
    ring_.drain([&](std::string_view message) { consume(unpack(message)); });
  }

 private:
  // A slot's code is kEmpty, kBusy while someone fills it in, kForgotten, or an address.
  struct Slot {
    std::atomic<std::uintptr_t> code;
    std::atomic<std::uint64_t> fingerprint;
    std::atomic<std::uint32_t> number;
  };
  static constexpr std::uintptr_t kEmpty = 0, kBusy = 1, kForgotten = 2;
  static constexpr std::size_t kSlots = 1U << 15;
  static constexpr std::size_t kProbes = 32;
  static constexpr std::size_t kRingSize = 1U << 20;

  Slot* slots() const { return reinterpret_cast<Slot*>(slots_.data()); }
  static std::size_t first_slot(std::uintptr_t code) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    return (code * kOdd) >> (64U - 15U);
  }
  template <class Memory>
  static std::uint64_t fingerprint_of_content(Memory& memory, const CodeFacts& facts);
  template <class Memory>
  std::uint32_t copy(Memory& memory, const CodeFacts& facts);
  void remember(Slot* slot, std::uintptr_t expected, std::uintptr_t code, std::uint64_t fingerprint,
                std::uint32_t number);
  static CodeCopy unpack(std::string_view message);

  const Layout& layout_;
  std::atomic<bool> deaths_are_reported_;
  bool (*const may_die_unheard_)();
  Pages slots_;
  ByteRing ring_;
  std::atomic<std::uint32_t> next_number_{kDeeper + 1};
  std::atomic<std::uint64_t> deaths_{0};
};

}  // namespace pyrometer
