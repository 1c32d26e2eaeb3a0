// The user's program as our child: started by a plain exec, so that it finds everything as
// if the shell had started it, and watched until it ends.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/environment_block.h"
#include "os/notice_socket.h"
#include "os/signal_guard.h"

namespace pyrometer {

// How a program ended: by itself with a status, or by a signal.
struct Ending {
  int status = 0;
  int signal = 0;  // 0: none
};

class ChildProcess {
 public:
  // Looks `argv[0]` up in PATH. The error is kNotFound when there is no such program, else
  // kIo. The program gets the signal mask and dispositions that `signals` found; when we are
  // killed it is killed too.
  static Result<ChildProcess> start(std::vector<std::string> argv, EnvironmentBlock environment,
                                    const SignalGuard& signals);

  // Waits for its end. Meanwhile signals sent to us alone go on to it, we stop when it stops,
  // and notices are taken in.
  Ending wait(SignalGuard& signals, NoticeSocket& notices) const;

  int pid() const { return pid_; }

 private:
  explicit ChildProcess(int pid) : pid_(pid) {}

  int pid_;
};

// Ends this process the way the program ended, so that whoever started us sees the same; a
// core file is the program's business, not ours.
[[noreturn]] void die_by_signal(int signal);

}  // namespace pyrometer
