#include "serve/access_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pyrometer {
namespace {

bool is_port(std::string_view text) {
  constexpr std::size_t kLongest = 5;
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

std::string make_token() {
  std::random_device random;  // the kernel's, not a generator with a seed
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

bool is_local_host(std::string_view host) {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (!host.starts_with(name)) continue;
    const std::string_view rest = host.substr(name.size());
    return rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)));
  }
  return false;
}

bool is_own_request(const RequestHead& head) {
  if (!is_local_host(head.host)) return false;
  if (!head.origin.empty() && head.origin != "http://" + std::string(head.host)) return false;
  return head.fetch_site.empty() || head.fetch_site == "same-origin" || head.fetch_site == "none";
}

std::optional<std::string_view> below_token(std::string_view target, std::string_view token) {
  if (!target.starts_with('/')) return std::nullopt;
  target.remove_prefix(1);
  const std::size_t slash = target.find('/');
  if (slash == std::string_view::npos ||
      !is_equal_in_constant_time(target.substr(0, slash), token)) {
    return std::nullopt;
  }
  return target.substr(slash + 1);
}

}  // namespace pyrometer
