#include "preload/loaded_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>

namespace pyrometer::preload {
namespace {

struct Search {
  std::size_t skipped;  // libraries that were looked at already
  std::size_t seen;
  char name[4096];
};

int copy_next_name(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (search.seen++ < search.skipped) return 0;
  const char* name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (std::strlen(name) >= sizeof(search.name)) return 0;
  std::strcpy(search.name, name);
  return 1;
}

}  // namespace

// Names are copied while the loader holds its list still, and opened when it does not any more:
// the other order could lock us out.
void* find_library(bool (*is_wanted)(void* handle, const char* symbol), const char* symbol) {
  Search search{0, 0, {}};
  while (dl_iterate_phdr(&copy_next_name, &search) != 0) {
    search.skipped = search.seen;
    search.seen = 0;
    const char* name = search.name[0] == '\0' ? nullptr : search.name;
    void* handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (is_wanted(handle, symbol)) return handle;
    dlclose(handle);
  }
  return nullptr;
}

}  // namespace pyrometer::preload
