#include "os/group_witness.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <utility>

namespace pyrometer {
namespace {

// The second process: keeps nothing open but what it listens on and speaks through, and ends
// when nobody listens to it any more.
[[noreturn]] void testify(int words) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "pyrometer-group");
  const int out = ::dup2(words, 0);
  const int signals = ::dup2(::signalfd(-1, &all, SFD_NONBLOCK), 1);
  ::close_range(2, ~0U, 0);
  pollfd sources[] = {{signals, POLLIN, 0}, {out, 0, 0}};
  while (::poll(sources, std::size(sources), -1) > 0 && sources[1].revents == 0) {
    signalfd_siginfo signal{};
    if (::read(signals, &signal, sizeof signal) != sizeof signal) continue;
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
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) testify(to_us.get());
    ::_exit(0);
  }
  if (between < 0) return std::nullopt;
  ::waitpid(between, nullptr, 0);
  return GroupWitness(std::move(words));
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
