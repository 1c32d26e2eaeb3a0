// What the program may do with its pages, as the kernel tells it. Uses no memory of the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyrometer::preload {

class PageProtection {
 public:
  PageProtection() = default;
  PageProtection(const PageProtection&) = delete;
  PageProtection& operator=(const PageProtection&) = delete;
  ~PageProtection();

  // When the first question was asked. False where nothing is known.
  bool is_read_only(std::uintptr_t address);

 private:
  void read();

  char* text_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pyrometer::preload
