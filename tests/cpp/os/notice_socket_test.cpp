#include "os/notice_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <string>

namespace pyrometer {
namespace {

void send_notice(const NoticeSocket& socket, const std::string& text) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, socket.name().data(), socket.name().size());
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + socket.name().size());
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::sendto(fd.get(), text.data(), text.size(), MSG_DONTWAIT,
                     reinterpret_cast<const sockaddr*>(&address), size),
            static_cast<ssize_t>(text.size()));
}

TEST(NoticeSocket, KeepsEachSentenceOnce) {
  auto socket = NoticeSocket::open().value();
  socket.drain();  // nothing there: no waiting
  send_notice(socket, "the disk is full");
  send_notice(socket, "the disk is full");
  send_notice(socket, "no perf_event");
  send_notice(socket, "");
  socket.drain();
  EXPECT_EQ(socket.notices(), (std::vector<std::string>{"the disk is full", "no perf_event"}));
}

TEST(NoticeSocket, HearsNoMoreThanItCanSay) {
  auto socket = NoticeSocket::open().value();
  for (std::size_t i = 0; i < 3 * NoticeSocket::kMost; ++i) {
    send_notice(socket, std::to_string(i) + std::string(2000, 'x'));
    socket.drain();
  }
  ASSERT_EQ(socket.notices().size(), NoticeSocket::kMost);
  EXPECT_EQ(socket.notices()[0].size(), NoticeSocket::kLongest);
}

TEST(NoticeSocket, IsPrintable) {
  auto socket = NoticeSocket::open().value();
  send_notice(socket, "\x1b[31mred\xff");
  socket.drain();
  EXPECT_EQ(socket.notices().at(0), "\\x1b[31mred\\xff");
}

TEST(NoticeSocket, TwoHaveTwoNames) {
  EXPECT_NE(NoticeSocket::open().value().name(), NoticeSocket::open().value().name());
}

}  // namespace
}  // namespace pyrometer
