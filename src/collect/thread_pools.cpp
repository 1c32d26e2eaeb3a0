#include "collect/thread_pools.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <memory>

namespace pyrometer {
namespace {

struct Library {
  std::string_view file;  // how the file's name begins
  std::string_view name;
  // Functions without arguments or effects that return a number; the first that is there counts.
  std::array<const char*, 4> questions;
};
// MKL's question may start its threads, so it is not asked.
constexpr Library kLibraries[] = {
    {"libopenblas", "openblas", {"openblas_get_num_threads", "openblas_get_num_threads64_"}},
    {"libscipy_openblas",  // in the wheels of numpy and scipy
     "openblas",
     {"scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads",
      "openblas_get_num_threads64_", "openblas_get_num_threads"}},
    {"libblis", "blis", {"bli_thread_get_num_threads"}},
    {"libmkl_rt", "mkl", {}},
    {"libmkl_core", "mkl", {}},
    {"libgomp", "libgomp", {"omp_get_max_threads"}},
    {"libiomp5", "libiomp5", {"omp_get_max_threads"}},
    {"libomp", "libomp", {"omp_get_max_threads"}},
};

struct Loaded {
  std::vector<std::pair<const Library*, std::string>> libraries;  // with their paths
  unsigned long long loads = 0;
};

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  auto& loaded = *static_cast<Loaded*>(data);
  loaded.loads = info->dlpi_adds + info->dlpi_subs;
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const Library& library : kLibraries) {
    if (file.starts_with(library.file)) loaded.libraries.emplace_back(&library, path);
  }
  return 0;
}

int count_loads(dl_phdr_info* info, std::size_t, void* data) {
  *static_cast<unsigned long long*>(data) = info->dlpi_adds + info->dlpi_subs;
  return 1;  // the first tells it
}

struct Close {
  void operator()(void* handle) const { dlclose(handle); }
};

using Question = int (*)();
Question find_question(const Library& library, const std::string& path) {
  // Loaded already, so this only counts a reference more, until it is closed.
  const std::unique_ptr<void, Close> handle(dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD));
  if (!handle) return nullptr;
  for (const char* name : library.questions) {
    if (name == nullptr) continue;
    if (void* question = dlsym(handle.get(), name)) return reinterpret_cast<Question>(question);
  }
  return nullptr;
}

}  // namespace

void ThreadPools::find() {
  unsigned long long loads = 0;
  dl_iterate_phdr(count_loads, &loads);
  if (loads == loads_seen_) return;
  Loaded loaded;
  dl_iterate_phdr(look_at, &loaded);
  loads_seen_ = loaded.loads;
  pools_.clear();
  for (const auto& [library, path] : loaded.libraries) {
    pools_.push_back({library->name, find_question(*library, path)});
  }
}

std::optional<std::string> ThreadPools::news() {
  find();
  std::string largest;
  int most = -1;
  for (const Pool& pool : pools_) {
    const int threads = pool.count_threads == nullptr ? 0 : pool.count_threads();
    if (threads <= most) continue;
    most = threads;
    largest = pool.name;
    if (threads > 0) largest += " " + std::to_string(threads);
  }
  if (largest == said_) return std::nullopt;
  said_ = largest;
  return largest;
}

}  // namespace pyrometer
