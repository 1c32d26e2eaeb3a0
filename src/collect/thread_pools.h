// The libraries of this process that compute with threads of their own: a BLAS, OpenMP. Programs
// load them after the start and change their number of threads when they like.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

class ThreadPools {
 public:
  // "openblas 8": the one with the most threads. Nothing when that was said before, or there is
  // none. Not for signal handlers: it asks the dynamic linker.
  std::optional<std::string> news();

 private:
  struct Pool {
    std::string_view name;
    int (*count_threads)() = nullptr;  // null: the library has no such question
  };
  void find();

  std::vector<Pool> pools_;
  std::string said_;
  unsigned long long loads_seen_ = 0;
};

}  // namespace pyrometer
