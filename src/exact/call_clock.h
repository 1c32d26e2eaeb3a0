// What calls are timed by: the processor's counter, or a function of the user's.
#pragma once

#include <cstdint>

#include "os/cycle_counter.h"

namespace pyrometer {

struct CallClock {
  // Given by the user: any count that grows, in units of the user's.
  using Custom = std::uint64_t (*)(void* context);

  const CycleCounter* counter = &CycleCounter::own();
  Custom custom = nullptr;
  void* context = nullptr;

  std::uint64_t read() const {
    if (custom != nullptr) [[unlikely]]
      return custom(context);
    return counter->read();
  }
};

}  // namespace pyrometer
