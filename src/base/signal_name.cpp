#include "base/signal_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pyrometer {

std::string signal_words(long number) {
  constexpr std::pair<long, const char*> kNames[] = {
      {1, "SIGHUP"},   {2, "SIGINT"},   {3, "SIGQUIT"},  {4, "SIGILL"},   {5, "SIGTRAP"},
      {6, "SIGABRT"},  {7, "SIGBUS"},   {8, "SIGFPE"},   {9, "SIGKILL"},  {10, "SIGUSR1"},
      {11, "SIGSEGV"}, {12, "SIGUSR2"}, {13, "SIGPIPE"}, {14, "SIGALRM"}, {15, "SIGTERM"},
      {24, "SIGXCPU"}, {25, "SIGXFSZ"}, {31, "SIGSYS"},
  };
  const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                  [&](const auto& each) { return each.first == number; });
  const std::string name = known == std::end(kNames) ? "" : fmt::format(" ({})", known->second);
  return fmt::format("signal {}{}", number, name);
}

}  // namespace pyrometer
