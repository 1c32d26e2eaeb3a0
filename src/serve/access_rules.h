// Who may ask: a page of this very server, opened by somebody who knows the token. Other users of
// the machine do not know it; other sites in the same browser fail the checks of Host and Origin,
// also when their names are made to point to 127.0.0.1.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pyrometer {

// 128 random bits in hexadecimal digits.
std::string make_token();

struct RequestHead {
  std::string_view target;      // "/TOKEN/api/profiles"
  std::string_view host;        // empty: none, or several
  std::string_view origin;      // empty: none
  std::string_view fetch_site;  // of Sec-Fetch-Site; empty: none
};

// Whether Host names this machine as its own user does, with any port: ssh -L may have another.
bool is_local_host(std::string_view host);

// Whether the request comes from a page of ours or from the address bar.
bool is_own_request(const RequestHead& head);

// Takes as long for every text of the right length, so that nobody can guess it piece by piece.
bool is_equal_in_constant_time(std::string_view a, std::string_view b);

// What follows "/TOKEN/"; nothing when the token is another. Takes as long for every wrong token.
std::optional<std::string_view> below_token(std::string_view target, std::string_view token);

}  // namespace pyrometer
