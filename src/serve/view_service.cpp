#include "serve/view_service.h"

#include "base/gzip_writer.h"
#include "serve/embedded_page.h"

namespace pyrometer {
namespace {

constexpr std::size_t kWorthCompressing = 16 << 10;
constexpr int kQuickly = 1;

HttpAnswer page(const HttpRequest& request) {
  HttpAnswer answer{.type = "text/html; charset=utf-8"};
  answer.is_gzip = request.accepts_gzip;
  answer.body = request.accepts_gzip ? std::string(packed_page()) : plain_page();
  return answer;
}

HttpAnswer error_answer(const Error& error) {
  return {.status = status_of(error.code), .type = kJsonType, .body = error_json(error.message)};
}

HttpAnswer data(const ProfileSet& profiles, const ViewServiceOptions& options,
                const HttpRequest& http) {
  auto request = parse_request(http.target);
  if (!request) return error_answer(request.error());
  request->without_sources = options.without_sources;
  auto answered = answer(profiles.now(), *request);
  if (!answered) return error_answer(answered.error());
  HttpAnswer answer{.type = answered->type,
                    .body = std::move(answered->body),
                    .attachment = std::move(answered->attachment)};
  if (options.compresses && http.accepts_gzip && answer.body.size() > kWorthCompressing) {
    answer.body = gzip(answer.body, kQuickly);
    answer.is_gzip = true;
  }
  return answer;
}

}  // namespace

HttpHandler make_view_service(const ProfileSet& profiles, const ViewServiceOptions& options) {
  return [&profiles, options](const HttpRequest& request) {
    return request.target.empty() ? page(request) : data(profiles, options, request);
  };
}

}  // namespace pyrometer
