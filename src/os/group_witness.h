// Tells a signal that somebody sent to us alone from one sent to our whole process group, which
// the program gets by itself: a second process of ours in the same group does nothing but say
// which signals it received.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>

#include "os/unique_fd.h"

namespace pyrometer {

class GroupWitness {
 public:
  // Nothing when the system has no room for it.
  static std::optional<GroupWitness> start();

  GroupWitness(GroupWitness&& other) noexcept;
  GroupWitness& operator=(GroupWitness&&) = delete;
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;
  ~GroupWitness();

  // Whether the witness got `signal` too; waits a moment for its word.
  bool also_got(int signal);

 private:
  GroupWitness(pid_t pid, UniqueFd words) : pid_(pid), words_(std::move(words)) {}

  pid_t pid_;
  UniqueFd words_;
  std::array<int, 128> received_{};  // by number, not asked for yet
};

}  // namespace pyrometer
