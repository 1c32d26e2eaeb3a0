#include "preload/page_protection.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace pyrometer::preload {
namespace {

constexpr std::size_t kRoom = std::size_t{8} << 20;  // only what is filled takes memory

// Moves `at` behind the number and the sign after it.
std::uintptr_t read_address(const char*& at) {
  constexpr std::uintptr_t kHexadecimal = 16;
  constexpr char kAfterNine = 'a' - 10;
  std::uintptr_t value = 0;
  for (; (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); ++at) {
    const char zero = *at <= '9' ? '0' : kAfterNine;
    value = value * kHexadecimal + static_cast<std::uintptr_t>(*at - zero);
  }
  ++at;
  return value;
}

}  // namespace

PageProtection::~PageProtection() {
  if (text_ != nullptr) munmap(text_, kRoom);
}

void PageProtection::read() {
  void* room = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return;
  text_ = static_cast<char*>(room);
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  while (size_ < kRoom - 1) {
    const ssize_t more = ::read(file, text_ + size_, kRoom - 1 - size_);
    if (more <= 0) break;
    size_ += static_cast<std::size_t>(more);
  }
  close(file);
}

// Lines of "begin-end rwxp ...".
bool PageProtection::is_read_only(std::uintptr_t address) {
  if (text_ == nullptr) read();
  if (size_ == 0) return false;
  for (const char* line = text_; *line != '\0';) {
    const char* at = line;
    const std::uintptr_t begin = read_address(at);
    const std::uintptr_t end = read_address(at);
    if (address >= begin && address < end) return at[0] == 'r' && at[1] == '-';
    const char* rest = std::strchr(at, '\n');
    if (rest == nullptr) return false;
    line = rest + 1;
  }
  return false;
}

}  // namespace pyrometer::preload
