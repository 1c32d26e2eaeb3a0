#include "os/notice.h"

#include <algorithm>

#include "os/abstract_address.h"
#include "os/unique_fd.h"

namespace pyrometer {

void send_notice(const std::string& name, std::string_view sentence) {
  const auto address = AbstractAddress::of(name);
  if (!address) return;
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) return;
  constexpr std::size_t kLongest = 500;
  ::sendto(fd.get(), sentence.data(), std::min(sentence.size(), kLongest), MSG_NOSIGNAL,
           address->get(), address->size());
}

}  // namespace pyrometer
