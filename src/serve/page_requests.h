// Which answers a page carries: what the screens show without a scope, and what they need to work
// scopes out themselves, within bounds.
#pragma once

#include <string>
#include <vector>

#include "serve/answers.h"

namespace pyrometer {

struct PageAnswer {
  std::string request;  // "api/0/tables"
  Answer answer;
};

Result<std::vector<PageAnswer>> answers_for_page(const ProfileVersions& profiles,
                                                 bool without_sources);

}  // namespace pyrometer
