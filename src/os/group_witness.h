// Tells a signal that somebody sent to us alone from one sent to our whole process group, which
// the program gets by itself: a second process of ours in the same group does nothing but say
// which signals it received. It is nobody's child, so that the program is our only one, and ends
// when we do.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "os/unique_fd.h"

namespace pyrometer {

class GroupWitness {
 public:
  // Nothing when the system has no room for it.
  static std::optional<GroupWitness> start();

  // Whether the witness got `signal` too; waits a moment for its word.
  bool also_got(int signal);

 private:
  explicit GroupWitness(UniqueFd words) : words_(std::move(words)) {}

  UniqueFd words_;                   // closing it ends the witness
  std::array<int, 128> received_{};  // by number, not asked for yet
};

}  // namespace pyrometer
