// The server as a client sees it: bytes over a socket.
#include "serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "os/unique_fd.h"

namespace pyrometer {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Reads until the server closes, or for five seconds.
class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{.tv_sec = 5, .tv_usec = 0};
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    is_connected_ =
        ::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  bool is_connected() const { return is_connected_; }
  void send(std::string_view text) const {
    ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  std::string receive_all() const {
    std::string all;
    for (std::string piece = receive_some(); !piece.empty(); piece = receive_some()) all += piece;
    return all;
  }
  // What has come until `end` was seen.
  std::string receive_until(std::string_view end) const {
    std::string all;
    while (all.find(end) == std::string::npos) {
      const std::string piece = receive_some();
      if (piece.empty()) break;
      all += piece;
    }
    return all;
  }

 private:
  std::string receive_some() const {
    char buffer[4096];
    const ssize_t size = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    return size <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(size));
  }

  UniqueFd fd_;
  bool is_connected_ = false;
};

// A server in a thread of its own that says what it was asked for.
class HttpServerTest : public ::testing::Test {
 protected:
  void start(const HttpLimits& limits = {}) {
    auto listening = HttpServer::listen(
        0, "token", [this](const HttpRequest& request) { return handle(request); }, limits);
    ASSERT_TRUE(listening);
    server_.emplace(*std::move(listening));
    thread_ = std::thread([this] { server_->run(); });
  }
  ~HttpServerTest() override { stop(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
    server_.reset();
  }

  HttpAnswer handle(const HttpRequest& request) {
    if (request.target == "throw") throw std::bad_alloc();
    if (request.target == "save") return {.body = "x", .attachment = "a.prof"};
    if (request.target == "large") return {.body = std::string(10 << 20, 'x')};
    ++asked_;
    return {.body = "asked for '" + request.target + (request.accepts_gzip ? "' gzip" : "'")};
  }

  std::string ask(std::string_view line, std::string_view headers = "Host: localhost\r\n") {
    const Client client(server_->port());
    client.send(std::string(line) + " HTTP/1.1\r\n" + std::string(headers) +
                "Connection: close\r\n\r\n");
    return client.receive_all();
  }
  static int status_of(const std::string& answer) {
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
  }

  std::optional<HttpServer> server_;
  std::thread thread_;
  std::atomic<int> asked_ = 0;
};

TEST_F(HttpServerTest, AnswersBelowTheToken) {
  start();
  const std::string answer = ask("GET /token/api/profiles?x=1");
  EXPECT_EQ(status_of(answer), 200);
  EXPECT_TRUE(answer.ends_with("\r\n\r\nasked for 'api/profiles?x=1'")) << answer;
  for (const char* header :
       {"Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Referrer-Policy: no-referrer\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n",
        "Cross-Origin-Opener-Policy: same-origin\r\n", "frame-ancestors 'none'"}) {
    EXPECT_NE(answer.find(header), std::string::npos) << header;
  }
  EXPECT_EQ(answer.find("Access-Control"), std::string::npos);
  EXPECT_EQ(answer.find("Server:"), std::string::npos);
}

TEST_F(HttpServerTest, RefusesStrangersWithoutAskingAnything) {
  start();
  EXPECT_EQ(status_of(ask("GET /")), 404);
  EXPECT_EQ(status_of(ask("GET /wrong/")), 404);
  EXPECT_EQ(status_of(ask("GET /token")), 404);
  EXPECT_EQ(status_of(ask("GET /../token/")), 404);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: evil.example\r\n")), 403);
  EXPECT_EQ(status_of(ask("GET /token/", "")), 403);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: localhost\r\nHost: evil.example\r\n")), 403);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: localhost\r\nOrigin: http://evil.example\r\n")),
            403);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n")),
            403);
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(ask("GET /wrong/").find("token"), std::string::npos);
}

TEST_F(HttpServerTest, ItsEntranceOpensOnce) {
  start();
  const std::string line = "GET " + server_->entrance();
  EXPECT_EQ(status_of(ask(line, "Host: evil.example\r\n")), 403);
  EXPECT_EQ(status_of(ask("HEAD " + server_->entrance())), 404);
  const std::string answer = ask(line);
  EXPECT_EQ(status_of(answer), 303);
  EXPECT_NE(answer.find("Location: /token/\r\n"), std::string::npos) << answer;
  EXPECT_EQ(status_of(ask(line)), 404);
  EXPECT_EQ(asked_, 0);
}

TEST_F(HttpServerTest, OnlyReads) {
  start();
  const std::string post = ask("POST /token/");
  EXPECT_EQ(status_of(post), 405);
  EXPECT_NE(post.find("Allow: GET, HEAD"), std::string::npos);
  EXPECT_EQ(status_of(ask("OPTIONS /token/")), 405);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: localhost\r\nContent-Length: 5\r\n")), 413);
  EXPECT_EQ(status_of(ask("GET /token/", "Host: localhost\r\nTransfer-Encoding: chunked\r\n")),
            413);
  EXPECT_EQ(asked_, 0);
}

TEST_F(HttpServerTest, HeadHasNoBody) {
  start();
  const std::string head = ask("HEAD /token/large");
  EXPECT_EQ(status_of(head), 200);
  EXPECT_NE(head.find("Content-Length: 10485760\r\n"), std::string::npos);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_EQ(ask("GET /token/large").size() - ask("HEAD /token/large").size(), 10U << 20);
}

TEST_F(HttpServerTest, KeepsConnectionsForMoreThanOneQuestion) {
  start();
  const Client client(server_->port());
  for (const char* name : {"a", "b", "c"}) {
    client.send("GET /token/" + std::string(name) +
                " HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAccept-Encoding: gzip, br\r\n\r\n");
    const std::string end = "asked for '" + std::string(name) + "' gzip";
    EXPECT_NE(client.receive_until(end).find(end), std::string::npos);
  }
}

TEST_F(HttpServerTest, SurvivesWhatMakesNoSense) {
  start();
  EXPECT_EQ(status_of(ask("GET /token/" + std::string(20'000, 'x'))), 431);
  EXPECT_EQ(
      status_of(ask("GET /token/", "Host: localhost\r\nX: " + std::string(20'000, 'x') + "\r\n")),
      431);
  EXPECT_EQ(status_of(ask("\x16\x03\x01 nonsense")), 400);
  EXPECT_EQ(status_of(ask("GET /token/throw")), 500);
  EXPECT_NE(ask("GET /token/save").find("attachment; filename=\"a.prof\""), std::string::npos);
  {
    const Client silent(server_->port());  // goes away without a word
  }
  EXPECT_EQ(status_of(ask("GET /token/")), 200);
}

TEST_F(HttpServerTest, SlowClientsAreLeft) {
  start({.seconds_to_ask = 0.2});
  const Client client(server_->port());
  const auto began = Clock::now();
  client.send("GET /token/ HTTP/1.1\r\n");
  EXPECT_EQ(client.receive_all(), "");
  EXPECT_LT(Clock::now() - began, 3s);
}

TEST_F(HttpServerTest, HasABoundOnConnections) {
  start({.connections = 2});
  const Client first(server_->port());
  const Client second(server_->port());
  first.send("GET /token/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
  second.send("GET /token/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
  first.receive_until("asked for ''");
  second.receive_until("asked for ''");
  const Client third(server_->port());
  EXPECT_EQ(third.receive_all(), "");
}

TEST_F(HttpServerTest, StopsWithConnectionsOpen) {
  start();
  const Client idle(server_->port());
  idle.send("GET /token/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
  idle.receive_until("asked for ''");
  const auto began = Clock::now();
  stop();
  EXPECT_LT(Clock::now() - began, 2s);
  EXPECT_EQ(idle.receive_all(), "");
}

TEST(HttpServer, SaysWhenAPortIsTaken) {
  const auto first = HttpServer::listen(0, "a", [](const HttpRequest&) { return HttpAnswer{}; });
  ASSERT_TRUE(first);
  const auto second =
      HttpServer::listen(first->port(), "a", [](const HttpRequest&) { return HttpAnswer{}; });
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("in use"), std::string::npos) << second.error().message;
  EXPECT_NE(second.error().message.find("--port"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer
