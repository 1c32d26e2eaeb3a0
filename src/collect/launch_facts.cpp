#include "collect/launch_facts.h"

#include <sched.h>
#include <unistd.h>

#include "os/rank.h"

namespace pyrometer {
namespace {

constexpr const char* kThreadVariables[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                            "MKL_NUM_THREADS"};

// CPUs this process may run on; 0 where the kernel does not say.
int allowed_cores() {
  constexpr int kMost = 1 << 16;
  for (int cores = 1024; cores <= kMost; cores *= 2) {  // the set must hold all the kernel knows
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(cores));
    if (set == nullptr) return 0;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(cores));
    const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return 0;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> read_launch_facts() {
  std::vector<std::pair<std::string, std::string>> facts;
  if (const auto rank = detect_rank(own_environment)) {
    facts.emplace_back("launcher", rank->launcher);
    if (rank->local_rank >= 0) facts.emplace_back("rank.local", std::to_string(rank->local_rank));
  }
  if (const int cores = allowed_cores(); cores > 0) {
    facts.emplace_back("cores", std::to_string(cores));
  }
  if (const long cores = sysconf(_SC_NPROCESSORS_ONLN); cores > 0) {
    facts.emplace_back("cores.host", std::to_string(cores));
  }
  for (const char* name : kThreadVariables) {
    const auto value = own_environment(name);
    if (value) facts.emplace_back(std::string("threads.") + name, *value);
  }
  return facts;
}

}  // namespace pyrometer
