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
// (the thread's CPU clock did not move). Frames and code objects lie close together, so they
// are copied in blocks that serve several views: for one look only.
class OtherThreadMemory {
 public:
  static constexpr std::size_t kLargestView = 512;

  // Stays valid until some others were taken.
  const char* view(std::uintptr_t address, std::size_t size) {
    const std::size_t offset = address % kBlock;
    if (offset + size > kBlock) {
      auto& buffer = crossing_[next_crossing_++ % crossing_.size()];
      if (size > buffer.size() || !copy(address, buffer.data(), size)) return nullptr;
      return buffer.data();
    }
    const Block* block = find_block(address - offset);
    return block == nullptr ? nullptr : block->bytes.data() + offset;
  }

  bool is_readable(std::uintptr_t address, std::size_t) { return address != 0; }

  // NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes there.
  bool copy(std::uintptr_t address, char* to, std::size_t size) const {
    iovec local{to, size};
    iovec remote{reinterpret_cast<void*>(address), size};
    return process_vm_readv(process_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
  }

 private:
  static constexpr std::size_t kBlock = 1024;  // never more than one page
  struct Block {
    std::uintptr_t begin = 0;
    std::array<char, kBlock> bytes{};
  };

  const Block* find_block(std::uintptr_t begin) {
    for (const Block& block : blocks_) {
      if (block.begin == begin && begin != 0) return &block;
    }
    Block& block = blocks_[next_block_++ % blocks_.size()];
    block.begin = 0;
    if (!copy(begin, block.bytes.data(), kBlock)) return nullptr;
    block.begin = begin;
    return &block;
  }

  const pid_t process_ = getpid();
  std::array<Block, 16> blocks_{};
  std::size_t next_block_ = 0;
  std::array<std::array<char, kLargestView>, 4> crossing_{};
  std::size_t next_crossing_ = 0;
};

}  // namespace pyrometer
