// Signals as people name them.
#pragma once

#include <string>

namespace pyrometer {

// "signal 11 (SIGSEGV)", with the numbers of Linux, wherever this runs.
std::string signal_words(long number);

}  // namespace pyrometer
