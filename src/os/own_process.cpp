#include "os/own_process.h"

#include <unistd.h>

namespace pyrometer {

int own_pid() { return ::getpid(); }

}  // namespace pyrometer
