#include "os/group_witness.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace pyrometer {
namespace {

// The second process: keeps nothing open but what it listens on and speaks through.
[[noreturn]] void testify(int words, pid_t parent) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "pyrometer-group");
  if (::getppid() != parent) ::_exit(0);
  const int out = ::dup2(words, 0);
  const int signals = ::dup2(::signalfd(-1, &all, 0), 1);
  ::close_range(2, ~0U, 0);
  signalfd_siginfo signal{};
  while (::read(signals, &signal, sizeof signal) == sizeof signal) {
    const auto number = static_cast<unsigned char>(signal.ssi_signo);
    if (::write(out, &number, 1) != 1) break;
  }
  ::_exit(0);
}

}  // namespace

std::optional<GroupWitness> GroupWitness::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return std::nullopt;
  UniqueFd words(ends[0]);
  const UniqueFd to_us(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) testify(to_us.get(), parent);
  if (pid < 0) return std::nullopt;
  return GroupWitness(pid, std::move(words));
}

GroupWitness::GroupWitness(GroupWitness&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      words_(std::move(other.words_)),
      received_(other.received_) {}

GroupWitness::~GroupWitness() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool GroupWitness::also_got(int signal) {
  constexpr int kPatience = 50;  // ms
  pollfd source{words_.get(), POLLIN, 0};
  for (;;) {
    unsigned char number = 0;
    while (::read(words_.get(), &number, 1) == 1) ++received_.at(number % received_.size());
    int& count = received_.at(static_cast<std::size_t>(signal) % received_.size());
    if (count > 0) {
      count = 0;  // signals of one kind that come together are one
      return true;
    }
    if (::poll(&source, 1, kPatience) <= 0 || (source.revents & POLLIN) == 0) return false;
  }
}

}  // namespace pyrometer
