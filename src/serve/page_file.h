// A page of its own: the application with the answers inside, to be opened without a server.
#pragma once

#include <string>

#include "serve/answers.h"

namespace pyrometer {

struct PageOptions {
  bool without_sources = false;
};

// The same profiles give the same bytes.
Result<std::string> make_page(const ProfileVersions& profiles, const PageOptions& options);

}  // namespace pyrometer
