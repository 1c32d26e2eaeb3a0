#include "os/signal_guard.h"

#include "base/file.h"

namespace pyrometer {
namespace {

// Everything but the faults of our own code.
sigset_t signals_to_hold() {
  sigset_t set;
  ::sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
    ::sigdelset(&set, fault);
  }
  return set;
}

}  // namespace

Result<SignalGuard> SignalGuard::install() {
  const sigset_t held = signals_to_hold();
  UniqueFd fd(::signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!fd.is_open()) return fail(ErrorCode::kIo, "cannot watch signals: {}", last_error_text());
  sigset_t mask;
  ::sigprocmask(SIG_BLOCK, &held, &mask);
  // Whoever ignores SIGCHLD never learns how a child ended.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction before {};
  ::sigaction(SIGCHLD, &standard, &before);
  return SignalGuard(std::move(fd), mask, before);
}

SignalGuard::~SignalGuard() {
  if (!fd_.is_open()) return;  // moved from
  while (next()) {
  }
  ::sigaction(SIGCHLD, &child_action_, nullptr);
  ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
}

std::optional<signalfd_siginfo> SignalGuard::next() {
  signalfd_siginfo signal{};
  if (::read(fd_.get(), &signal, sizeof signal) != sizeof signal) return std::nullopt;
  return signal;
}

void SignalGuard::restore_in_child() const {
  ::sigaction(SIGCHLD, &child_action_, nullptr);
  ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
}

bool was_sent_to_us_alone(const signalfd_siginfo& signal) {
  // kill, sigqueue and tkill have codes that are not positive; the kernel's are.
  return signal.ssi_code <= 0;
}

}  // namespace pyrometer
