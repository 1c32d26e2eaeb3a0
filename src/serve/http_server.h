// A small HTTP server for one person: on 127.0.0.1 only, a thread per connection, a bound for
// everything that a client decides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct HttpRequest {
  std::string target;  // below the token, without a slash in front
  bool accepts_gzip = false;
};

struct HttpAnswer {
  int status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body = {};
  bool is_gzip = false;
  std::string attachment = {};  // the name of a file to save it as
  std::string location = {};    // where to go instead
};

using HttpHandler = std::function<HttpAnswer(const HttpRequest&)>;

struct HttpLimits {
  std::size_t connections = 64;
  std::uint32_t header_bytes = 16 << 10;
  double seconds_to_ask = 30;      // for the next request to arrive whole
  double seconds_to_answer = 600;  // for the client to take the answer
};

class HttpServer {
 public:
  // Port 0: any that is free. The handler is called by several threads at a time.
  static Result<HttpServer> listen(std::uint16_t port, std::string token, HttpHandler handler,
                                   const HttpLimits& limits = {});
  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  std::uint16_t port() const;
  // A path that leads to the page once, for the browser's command line.
  const std::string& entrance() const;

  // From now on SIGINT, SIGTERM and SIGHUP stop it.
  void stop_by_signals();
  // Answers until it is stopped. Connections are closed then, whatever they wait for; answers that
  // are being worked out are waited for by the destructor.
  void run();
  // By any thread.
  void stop();

 private:
  class Body;
  explicit HttpServer(std::unique_ptr<Body> body);

  std::unique_ptr<Body> body_;
};

}  // namespace pyrometer
