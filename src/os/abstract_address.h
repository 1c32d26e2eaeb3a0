// The address of an abstract AF_UNIX socket: a name that is no file, so nothing is left behind.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace pyrometer {

class AbstractAddress {
 public:
  // Nothing for a name that is empty or too long.
  static std::optional<AbstractAddress> of(std::string_view name) {
    AbstractAddress made;
    if (name.empty() || name.size() + 1 > sizeof(made.address_.sun_path)) return std::nullopt;
    made.address_.sun_family = AF_UNIX;
    std::memcpy(made.address_.sun_path + 1, name.data(), name.size());  // after a NUL
    made.size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return made;
  }

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t size() const { return size_; }

 private:
  sockaddr_un address_{};
  socklen_t size_ = 0;
};

}  // namespace pyrometer
