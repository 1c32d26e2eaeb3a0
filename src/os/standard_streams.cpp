#include "os/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace pyrometer {

void fill_closed_streams() {
  // open() takes the lowest descriptor that is free.
  int fd = -1;
  do {
    fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
}

void survive_closed_pipes() { ::signal(SIGPIPE, SIG_IGN); }

}  // namespace pyrometer
