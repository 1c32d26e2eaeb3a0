// The name of this machine, as its recordings carry it.
#pragma once

#include <string>

namespace pyrometer {

// "localhost" where the machine has no name.
std::string host_name();

}  // namespace pyrometer
