// A word that leads to the view once. It stands on the browser's command line, where other users of
// the machine can see it; by then it has been used, and the token itself is never shown there.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "serve/access_rules.h"

namespace pyrometer {

class EntryTicket {
 public:
  EntryTicket() : path_("/enter/" + make_token()) {}

  const std::string& path() const { return path_; }

  // True for the first request that names it.
  bool admits(std::string_view target) {
    return is_equal_in_constant_time(target, path_) && !is_used_.exchange(true);
  }

 private:
  std::string path_;
  std::atomic<bool> is_used_ = false;
};

}  // namespace pyrometer
