// The memory of this process and of the machine it runs on, as the kernel counts it. In bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "os/kept_file.h"

namespace pyrometer {

// 0 when the kernel does not tell.
class ResidentMemory {
 public:
  ResidentMemory() { now(); }  // opens its file before the program may expect a certain number
  std::int64_t now();
  // As the copy of a forked child, which would tell of its parent.
  void close() { pages_.close(); }

 private:
  KeptFile pages_{"/proc/self/statm"};
};
std::int64_t most_resident_memory();  // ever
std::int64_t physical_memory();

// The tightest limit of the control groups this process is in, if there is one, and the most that
// the group of that limit ever used.
struct GroupMemory {
  std::int64_t limit = 0;
  std::optional<std::int64_t> peak;
};
std::optional<GroupMemory> group_memory();

}  // namespace pyrometer
