// Where a thread was when a signal interrupted it: the only place that knows the machine's
// registers.
#pragma once

#include <ucontext.h>

#include <csignal>
#include <cstdint>
#include <cstring>

namespace pyrometer {

struct InterruptedContext {
  std::uintptr_t program_counter = 0;
  std::uintptr_t stack_pointer = 0;
  bool after_system_call = false;  // the signal waited for the kernel's work to end
};

inline InterruptedContext interrupted_context(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  InterruptedContext at{.program_counter = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]),
                        .stack_pointer = static_cast<std::uintptr_t>(machine.gregs[REG_RSP])};
  constexpr unsigned char kSystemCall[] = {0x0f, 0x05};
#elif defined(__aarch64__)
  InterruptedContext at{.program_counter = machine.pc, .stack_pointer = machine.sp};
  constexpr unsigned char kSystemCall[] = {0x01, 0x00, 0x00, 0xd4};
#else
#error "say here where this machine keeps its program counter and stack pointer"
#endif
  // Only inside a page, so that what lies before it is surely mapped.
  constexpr std::uintptr_t kPage = 4096;
  if (at.program_counter % kPage >= sizeof(kSystemCall)) {
    const auto* before =
        reinterpret_cast<const unsigned char*>(at.program_counter) - sizeof(kSystemCall);
    at.after_system_call = std::memcmp(before, kSystemCall, sizeof(kSystemCall)) == 0;
  }
  return at;
}

// The x86-64 ABI lets a function use this much below its stack pointer.
inline constexpr std::uintptr_t kRedZone = 128;

}  // namespace pyrometer
