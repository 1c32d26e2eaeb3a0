#include "os/host_name.h"

#include <unistd.h>

namespace pyrometer {

std::string host_name() {
  constexpr std::size_t kLongest = 256;
  char name[kLongest] = {};
  if (::gethostname(name, kLongest - 1) != 0 || name[0] == '\0') return "localhost";
  return name;
}

}  // namespace pyrometer
