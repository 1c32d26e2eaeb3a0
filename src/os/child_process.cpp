#include "os/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/file.h"
#include "os/group_witness.h"

namespace pyrometer {
namespace {

constexpr int kSignalStatus = 128;  // what shells add to a signal's number

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In the child: becomes the program, or says through `trouble` why it cannot.
[[noreturn]] void become(char* const* argv, char* const* environment, const SignalGuard& signals,
                         pid_t parent, int trouble) {
  // Whoever kills us means the program.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kSignalStatus + SIGKILL);
  signals.restore_in_child();
  ::execvpe(argv[0], argv, environment);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(trouble, &reason, sizeof reason);
  ::_exit(1);
}

// Stopped by its terminal, as with Ctrl-Z: then the shell that waits for us must see us stop;
// it continues the whole group. Who sends SIGSTOP to the program alone will wake it alone.
bool is_job_control(int signal) {
  return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

void forward(const signalfd_siginfo& signal, pid_t pid) {
  const auto number = static_cast<int>(signal.ssi_signo);
  if (signal.ssi_code == SI_QUEUE) {
    sigval value{};
    value.sival_ptr = reinterpret_cast<void*>(signal.ssi_ptr);  // NOLINT: it was a pointer
    ::sigqueue(pid, number, value);
  } else {
    ::kill(pid, number);
  }
}

}  // namespace

Result<ChildProcess> ChildProcess::start(std::vector<std::string> argv,
                                         EnvironmentBlock environment, const SignalGuard& signals) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kIo, "cannot start '{}': {}", argv[0], last_error_text());
  }
  const UniqueFd from_child(ends[0]);
  UniqueFd to_parent(ends[1]);
  const std::vector<char*> words = pointers_to(argv);
  const std::vector<char*> variables = environment.pointers();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return fail(ErrorCode::kIo, "cannot start '{}': {}", argv[0], last_error_text());
  }
  if (pid == 0) become(words.data(), variables.data(), signals, parent, to_parent.get());
  to_parent.close();
  int reason = 0;
  ssize_t size = 0;
  do {  // ends with exec, which closes the other end
    size = ::read(from_child.get(), &reason, sizeof reason);
  } while (size < 0 && errno == EINTR);
  if (size != sizeof reason) return ChildProcess(pid);
  ::waitpid(pid, nullptr, 0);
  const bool is_missing = reason == ENOENT || reason == ENOTDIR;
  return fail(is_missing ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot start '{}': {}", argv[0],
              std::error_code(reason, std::generic_category()).message());
}

Ending ChildProcess::wait(SignalGuard& signals, NoticeSocket& notices) const {
  auto witness = GroupWitness::start();
  for (;;) {
    pollfd sources[] = {{signals.fd(), POLLIN, 0}, {notices.fd(), POLLIN, 0}};
    ::poll(sources, std::size(sources), -1);
    notices.drain();
    while (const auto signal = signals.next()) {
      if (signal->ssi_signo != SIGCHLD) {
        const auto number = static_cast<int>(signal->ssi_signo);
        const bool has_it = witness && was_sent_to_us_alone(*signal) && witness->also_got(number);
        if (was_sent_to_us_alone(*signal) && !has_it) forward(*signal, pid_);
        continue;
      }
      int status = 0;
      while (::waitpid(pid_, &status, WNOHANG | WUNTRACED) == pid_) {
        if (!WIFSTOPPED(status)) {
          notices.drain();
          if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
          return {.status = WEXITSTATUS(status)};
        }
        if (is_job_control(WSTOPSIG(status))) ::raise(SIGSTOP);
      }
    }
  }
}

void die_by_signal(int signal) {
  std::fflush(nullptr);
  ::prctl(PR_SET_DUMPABLE, 0);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  std::_Exit(kSignalStatus + signal);
}

}  // namespace pyrometer
