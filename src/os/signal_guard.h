// Holds back the signals of `pyrometer run` while its program runs: they are read one by
// one and handed on, and none ends us before the program has ended.
#pragma once

#include <sys/signalfd.h>

#include <csignal>
#include <optional>

#include "base/result.h"
#include "os/unique_fd.h"

namespace pyrometer {

class SignalGuard {
 public:
  static Result<SignalGuard> install();

  SignalGuard(SignalGuard&&) = default;
  SignalGuard& operator=(SignalGuard&&) = delete;
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  // Signals that came until now are dropped, later ones act on us again.
  ~SignalGuard();

  // Becomes readable when a signal is there.
  int fd() const { return fd_.get(); }
  // The next one; nothing when there is none.
  std::optional<signalfd_siginfo> next();

  // Mask and dispositions as we were given them; for a child before its exec.
  void restore_in_child() const;

 private:
  SignalGuard(UniqueFd fd, const sigset_t& mask, const struct sigaction& child_action)
      : fd_(std::move(fd)), mask_(mask), child_action_(child_action) {}

  UniqueFd fd_;
  sigset_t mask_;                  // that we were given
  struct sigaction child_action_;  // what SIGCHLD did
};

// Whether somebody sent it to this process. What the terminal sends, the whole group gets.
bool was_sent_to_us_alone(const signalfd_siginfo& signal);

}  // namespace pyrometer
