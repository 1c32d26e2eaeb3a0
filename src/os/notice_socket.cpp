#include "os/notice_socket.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <string_view>

#include "base/file.h"
#include "base/printable.h"
#include "os/abstract_address.h"

namespace pyrometer {
namespace {

bool is_of_own_user(const msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(const_cast<msghdr*>(&message), part)) {  // NOLINT: the macro's signature
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(part), sizeof sender);
    return sender.uid == ::getuid();
  }
  return false;
}

}  // namespace

Result<NoticeSocket> NoticeSocket::open() {
  UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (!fd.is_open() || ::setsockopt(fd.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
    return fail(ErrorCode::kIo, "cannot make a socket for notices: {}", last_error_text());
  }
  std::random_device random;
  std::string name = fmt::format("pyrometer-{}-{:08x}{:08x}", ::getpid(), random(), random());
  const auto address = AbstractAddress::of(name);
  if (!address || ::bind(fd.get(), address->get(), address->size()) != 0) {
    return fail(ErrorCode::kIo, "cannot bind a socket for notices: {}", last_error_text());
  }
  return NoticeSocket(std::move(name), std::move(fd));
}

void NoticeSocket::drain() {
  for (;;) {
    char text[kLongest];
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
    iovec piece{text, sizeof text};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t size = ::recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    if (size > 0 && is_of_own_user(message)) {
      keep(printable(std::string_view(text, static_cast<std::size_t>(size))));
    }
  }
}

void NoticeSocket::keep(std::string sentence) {
  const bool is_known = std::find(notices_.begin(), notices_.end(), sentence) != notices_.end();
  if (!is_known && notices_.size() < kMost) notices_.push_back(std::move(sentence));
}

}  // namespace pyrometer
