#include "preload/mpi_world.h"

#include <dlfcn.h>

#include <cstring>

#include "collect/agent_table.h"

namespace pyrometer::preload {
namespace {

void tell_number(const pyrometer_agent_table& agent, const char* key, int number) {
  char text[16];
  char* at = text + sizeof(text);
  *--at = '\0';
  unsigned rest = number < 0 ? 0U : static_cast<unsigned>(number);
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  agent.attribute(key, at);
}

bool is_initialised(void* handle) {
  using Query = int (*)(int*);
  auto* query = reinterpret_cast<Query>(dlsym(handle, "PMPI_Initialized"));
  int flag = 0;
  return query != nullptr && query(&flag) == 0 && flag != 0;
}

void tell_version(void* handle, const pyrometer_agent_table& agent) {
  constexpr int kLongest = 8192;  // as the standard ABI has it; Open MPI needs 256
  using Version = int (*)(char*, int*);
  auto* version = reinterpret_cast<Version>(dlsym(handle, "PMPI_Get_library_version"));
  static char text[kLongest + 1];
  int length = 0;
  if (version == nullptr || version(text, &length) != 0) return;
  text[kLongest] = '\0';
  if (char* end = std::strpbrk(text, "\r\n")) *end = '\0';
  while (char* tab = std::strchr(text, '\t')) *tab = ' ';
  agent.attribute("mpi.library", text);
}

void tell_thread_level(void* handle, const pyrometer_agent_table& agent) {
  // Open MPI and MPICH count from 0; the standard ABI leaves gaps, so that levels can be added.
  using Query = int (*)(int*);
  auto* query = reinterpret_cast<Query>(dlsym(handle, "PMPI_Query_thread"));
  int level = -1;
  if (query == nullptr || query(&level) != 0 || level < 0) return;
  constexpr const char* kLevels[] = {"single", "funneled", "serialized", "multiple"};
  constexpr int kStandardStep = 1024;
  if (level >= kStandardStep) level /= kStandardStep;
  if (level < 4) agent.attribute("mpi.thread-level", kLevels[level]);
}

}  // namespace

void describe_world(const LoadedMpi& library, const pyrometer_agent_table& agent) {
  if (library.handle == nullptr || !is_initialised(library.handle)) return;
  tell_version(library.handle, agent);
  tell_thread_level(library.handle, agent);
  if (!library.constants.are_known) return;
  using Rank = int (*)(Slot, int*);
  auto* rank_of = reinterpret_cast<Rank>(dlsym(library.handle, "PMPI_Comm_rank"));
  auto* size_of = reinterpret_cast<Rank>(dlsym(library.handle, "PMPI_Comm_size"));
  int rank = 0;
  int size = 0;
  if (rank_of != nullptr && size_of != nullptr && rank_of(library.constants.world, &rank) == 0 &&
      size_of(library.constants.world, &size) == 0) {
    tell_number(agent, "mpi.rank", rank);
    tell_number(agent, "mpi.size", size);
  }
}

}  // namespace pyrometer::preload
