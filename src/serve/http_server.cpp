#include "serve/http_server.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <list>
#include <thread>

#include "serve/access_rules.h"
#include "serve/entry_ticket.h"

namespace pyrometer {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = net::ip::tcp;
using ErrorOfBoost = boost::system::error_code;

std::chrono::milliseconds duration(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// A header that must not be there twice; empty when it is, or is missing.
template <class Fields>
std::string_view only_one(const Fields& fields, http::field name) {
  return fields.count(name) == 1 ? view(fields[name]) : std::string_view();
}

bool accepts_gzip(std::string_view encodings) {
  const std::size_t found = encodings.find("gzip");
  return found != std::string_view::npos && !encodings.substr(found).starts_with("gzip;q=0");
}

// One client. Its thread waits for one thing at a time, each with a deadline; stop() from another
// thread ends the wait.
class Connection {
 public:
  Connection(const std::string& token, EntryTicket& ticket, const HttpHandler& handler,
             const HttpLimits& limits)
      : token_(token), ticket_(ticket), handler_(handler), limits_(limits), stream_(context_) {}

  Tcp::socket& socket() { return stream_.socket(); }
  net::io_context& context() { return context_; }

  void start() {
    thread_ = std::thread([this] {
      serve();
      is_over_ = true;
    });
  }
  bool is_over() const { return is_over_; }
  void stop() {
    is_stopped_ = true;
    context_.stop();
  }
  void join() { thread_.join(); }

 private:
  // Runs one asynchronous operation to its end.
  template <class Start>
  ErrorOfBoost wait_for(double seconds, Start start) {
    ErrorOfBoost result = net::error::operation_aborted;
    stream_.expires_after(duration(seconds));
    start([&result](ErrorOfBoost error, std::size_t) { result = error; });
    context_.restart();
    if (!is_stopped_) context_.run();
    return result;
  }

  void serve() {
    beast::flat_buffer buffer(std::size_t{limits_.header_bytes} * 2);
    for (bool goes_on = true; goes_on && !is_stopped_;) {
      http::request_parser<http::empty_body> parser;
      parser.header_limit(limits_.header_bytes);
      const ErrorOfBoost error = wait_for(limits_.seconds_to_ask, [&](auto done) {
        http::async_read_header(stream_, buffer, parser, done);
      });
      if (error == http::error::header_limit || error == http::error::buffer_overflow) {
        send_refusal(http::status::request_header_fields_too_large);
        break;
      }
      if (error.category() == http::make_error_code(http::error::bad_method).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message) {
        send_refusal(http::status::bad_request);
        break;
      }
      if (error) break;
      goes_on = answer(parser);
    }
    ErrorOfBoost ignored;
    socket().shutdown(Tcp::socket::shutdown_both, ignored);
    socket().close(ignored);
  }

  // False when the connection ends.
  bool answer(const http::request_parser<http::empty_body>& parser) {
    const auto& request = parser.get();
    const bool is_head = request.method() == http::verb::head;
    if (!is_head && request.method() != http::verb::get) {
      return send_refusal(http::status::method_not_allowed);
    }
    const bool has_body = parser.chunked() || parser.content_length().value_or(0) > 0;
    if (has_body) return send_refusal(http::status::payload_too_large);
    const RequestHead head{.target = view(request.target()),
                           .host = only_one(request, http::field::host),
                           .origin = view(request[http::field::origin]),
                           .fetch_site = view(request["Sec-Fetch-Site"])};
    if (!is_own_request(head)) return send_refusal(http::status::forbidden);
    if (!is_head && ticket_.admits(head.target)) {
      return send({.status = 303, .location = "/" + token_ + "/"}, is_head, request.keep_alive());
    }
    const auto target = below_token(head.target, token_);
    if (!target) return send_refusal(http::status::not_found);
    HttpAnswer answer;
    try {
      answer =
          handler_({.target = std::string(*target),
                    .accepts_gzip = accepts_gzip(view(request[http::field::accept_encoding]))});
    } catch (const std::exception&) {  // no memory: one request fails, not the server
      answer = {.status = 500, .body = "There is not enough memory to answer this.\n"};
    }
    return send(std::move(answer), is_head, request.keep_alive());
  }

  template <class Body>
  static void add_headers(http::response<Body>& response, const HttpAnswer& answer,
                          bool keeps_alive) {
    response.result(static_cast<unsigned>(answer.status));
    response.set(http::field::content_type,
                 beast::string_view(answer.type.data(), answer.type.size()));
    response.set(http::field::cache_control, "no-store");
    // The page has a policy of its own that allows its scripts; this holds for all answers.
    response.set("Content-Security-Policy",
                 "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    if (answer.is_gzip) response.set(http::field::content_encoding, "gzip");
    response.set(http::field::vary, "Accept-Encoding");
    if (answer.status == 405) response.set(http::field::allow, "GET, HEAD");
    if (!answer.attachment.empty()) {
      response.set(http::field::content_disposition,
                   "attachment; filename=\"" + answer.attachment + "\"");
    }
    if (!answer.location.empty()) response.set(http::field::location, answer.location);
    response.keep_alive(keeps_alive);
    response.content_length(answer.body.size());
  }

  bool send(HttpAnswer answer, bool is_head, bool keeps_alive) {
    ErrorOfBoost error;
    if (is_head) {
      http::response<http::empty_body> response;
      add_headers(response, answer, keeps_alive);
      error = write(response);
    } else {
      http::response<http::string_body> response;
      add_headers(response, answer, keeps_alive);
      response.body() = std::move(answer.body);
      error = write(response);
    }
    return !error && keeps_alive;
  }

  // Says nothing that a stranger could use, and closes.
  bool send_refusal(http::status status) {
    HttpAnswer answer{.status = static_cast<int>(status)};
    const beast::string_view reason = http::obsolete_reason(status);
    answer.body = std::string(reason.data(), reason.size()) + "\n";
    return send(std::move(answer), false, false);
  }

  template <class Response>
  ErrorOfBoost write(Response& response) {
    return wait_for(limits_.seconds_to_answer,
                    [&](auto done) { http::async_write(stream_, response, done); });
  }

  const std::string& token_;
  EntryTicket& ticket_;
  const HttpHandler& handler_;
  const HttpLimits& limits_;
  net::io_context context_{1};
  beast::tcp_stream stream_;
  std::thread thread_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<bool> is_over_ = false;
};

}  // namespace

class HttpServer::Body {
 public:
  Body(std::string token, HttpHandler handler, const HttpLimits& limits)
      : token_(std::move(token)), handler_(std::move(handler)), limits_(limits) {}
  ~Body() {
    for (Connection& connection : connections_) connection.stop();
    for (Connection& connection : connections_) connection.join();
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  ErrorOfBoost listen(std::uint16_t port) {
    const Tcp::endpoint endpoint(net::ip::address_v4::loopback(), port);
    ErrorOfBoost error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    return error;
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  const std::string& entrance() const { return ticket_.path(); }

  void stop_by_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) signals_.add(signal);
    signals_.async_wait([this](ErrorOfBoost error, int) {
      if (!error) context_.stop();
    });
  }

  void run() {
    accept_next();
    context_.run();
    ErrorOfBoost ignored;
    acceptor_.close(ignored);
    for (Connection& connection : connections_) connection.stop();
  }

  void stop() {
    net::post(context_, [this] { context_.stop(); });
  }

 private:
  void accept_next() {
    next_.emplace_front(token_, ticket_, handler_, limits_);
    acceptor_.async_accept(next_.front().socket(), [this](ErrorOfBoost error) {
      forget_finished();
      if (!error && connections_.size() < limits_.connections) {
        ErrorOfBoost ignored;
        next_.front().socket().set_option(Tcp::no_delay(true), ignored);
        start_next();
      }
      next_.clear();  // too many: it is closed, and the browser tries again
      accept_next();
    });
  }

  void start_next() {
    connections_.splice(connections_.begin(), next_);
    try {
      connections_.front().start();
    } catch (const std::system_error&) {  // the machine has no thread left
      connections_.pop_front();
    }
  }

  void forget_finished() {
    for (auto each = connections_.begin(); each != connections_.end();) {
      if (each->is_over()) {
        each->join();
        each = connections_.erase(each);
      } else {
        ++each;
      }
    }
  }

  std::string token_;
  EntryTicket ticket_;
  HttpHandler handler_;
  HttpLimits limits_;
  net::io_context context_{1};
  Tcp::acceptor acceptor_{context_};
  net::signal_set signals_{context_};
  std::list<Connection> connections_;
  std::list<Connection> next_;  // one, not yet connected
};

HttpServer::HttpServer(std::unique_ptr<Body> body) : body_(std::move(body)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

Result<HttpServer> HttpServer::listen(std::uint16_t port, std::string token, HttpHandler handler,
                                      const HttpLimits& limits) {
  auto body = std::make_unique<Body>(std::move(token), std::move(handler), limits);
  if (const ErrorOfBoost error = body->listen(port)) {
    const char* remedy = port == 0 ? "" : "; choose another with --port, or leave it out";
    return fail(ErrorCode::kIo, "cannot listen on 127.0.0.1:{}: {}{}", port, error.message(),
                remedy);
  }
  return HttpServer(std::move(body));
}

std::uint16_t HttpServer::port() const { return body_->port(); }
const std::string& HttpServer::entrance() const { return body_->entrance(); }
void HttpServer::stop_by_signals() { body_->stop_by_signals(); }
void HttpServer::run() { body_->run(); }
void HttpServer::stop() { body_->stop(); }

}  // namespace pyrometer
