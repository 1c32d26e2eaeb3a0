// What the server says at each address: the application, and the data that it asks for.
#pragma once

#include "serve/http_server.h"
#include "serve/profile_set.h"

namespace pyrometer {

struct ViewServiceOptions {
  bool compresses = false;  // worth it on the way through ssh, not on one machine
  bool without_sources = false;
};

// `profiles` must outlive the handler.
HttpHandler make_view_service(const ProfileSet& profiles, const ViewServiceOptions& options);

}  // namespace pyrometer
