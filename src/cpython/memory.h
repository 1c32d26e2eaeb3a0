// Two ways to look at interpreter memory that may not be what it seems. Both give a pointer
// to `size` readable bytes, or nullptr.
#pragma once

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace pyrometer {

template <class T>
T load(const char* at, std::uint32_t offset = 0) {
  T value;
  std::memcpy(&value, at + offset, sizeof(value));
  return value;
}

// The memory of the thread we are in: nothing changes while we look, so known addresses are
// read directly and unknown ones are probed first. Async-signal-safe (changes errno).
class OwnMemory {
 public:
  const char* view(std::uintptr_t address, std::size_t) {
    return reinterpret_cast<const char*>(address);
  }

  bool copy(std::uintptr_t address, char* to, std::size_t size) {
    std::memcpy(to, reinterpret_cast<const char*>(address), size);
    return true;
  }

  // An unknown `how` makes the kernel read the set and then refuse: EFAULT tells an address
  // that cannot be read, without a signal handler.
  bool is_readable(std::uintptr_t address, std::size_t size) {
    return probe(address) && probe((address + size - 8) & ~std::uintptr_t{7});
  }

 private:
  static bool probe(std::uintptr_t address) {
    if (address == 0 || address % 8 != 0) return false;
    constexpr int kNoSuchOperation = ~0;
    return syscall(SYS_rt_sigprocmask, kNoSuchOperation, address, nullptr, 8) != -1 ||
           errno != EFAULT;
  }
};

// The memory of a thread that may wake up at any moment: copied through the kernel, which
// refuses what is not mapped. Whether the copies fit together is for the caller to check
// (the thread's CPU clock did not move).
class OtherThreadMemory {
 public:
  static constexpr std::size_t kLargestView = 512;

  const char* view(std::uintptr_t address, std::size_t size) {
    auto& buffer = buffers_[next_++ % buffers_.size()];
    if (size > buffer.size() || !copy(address, buffer.data(), size)) return nullptr;
    return buffer.data();
  }

  bool is_readable(std::uintptr_t address, std::size_t) { return address != 0; }

  // NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
  bool copy(std::uintptr_t address, char* to, std::size_t size) {
    iovec local{to, size};
    iovec remote{reinterpret_cast<void*>(address), size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
  }

 private:
  // Views stay valid until this many others were taken.
  std::array<std::array<char, kLargestView>, 4> buffers_{};
  std::size_t next_ = 0;
};

}  // namespace pyrometer
