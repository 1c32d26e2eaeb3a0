#include "preload/memory_real.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "preload/loaded_library.h"
#include "preload/memory_count.h"

namespace pyrometer::preload {
namespace {

constexpr std::size_t kAlignment = 16;
std::size_t early_used = 0;
bool looking = false;  // the process has one thread then

bool is_own(const void* function) {
  Dl_info own{};
  Dl_info other{};
  return dladdr(reinterpret_cast<const void*>(&find_behind), &own) != 0 &&
         dladdr(function, &other) != 0 && own.dli_fbase == other.dli_fbase;
}

// An executable that takes the address of a function has a symbol of that name, too, which leads
// through its imports.
bool is_definition(const void* function) {
  Dl_info info{};
  void* symbol = nullptr;
  if (dladdr1(function, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return false;
  return static_cast<const ElfW(Sym)*>(symbol)->st_shndx != SHN_UNDEF;
}

// Not one of the libraries that it depends on.
bool defines_itself(void* handle, const char* name) {
  const void* function = dlsym(handle, name);
  const link_map* library = nullptr;
  Dl_info info{};
  return function != nullptr && dlinfo(handle, RTLD_DI_LINKMAP, &library) == 0 &&
         dladdr(function, &info) != 0 && std::strcmp(info.dli_fname, library->l_name) == 0 &&
         is_definition(function) && !is_own(function);
}

std::size_t without_size(void*) { return 0; }

// Whether what stands before blocks is their size, for blocks of all kinds.
bool finds_headers(const RealAllocator& allocator) {
  bool has_headers = true;
  constexpr std::size_t kSizes[] = {1, 24, 25, 1000, 5000, 70'000};
  for (const std::size_t size : kSizes) {
    void* block = allocator.malloc(size);
    if (block == nullptr) return false;
    has_headers = has_headers &&
                  usable_size(block) == static_cast<std::int64_t>(allocator.usable_size(block));
    allocator.free(block);
  }
  return has_headers;
}

// The code that malloc is in, unless the C library's, which maps memory without passing here.
int find_code(dl_phdr_info* object, std::size_t, void*) {
  const auto* base = reinterpret_cast<const char*>(object->dlpi_addr);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const char* begin = base + segment.p_vaddr;
    const char* end = begin + segment.p_memsz;
    const auto holds = [&](auto* function) {
      const auto* code = reinterpret_cast<const char*>(function);
      return code >= begin && code < end;
    };
    if (segment.p_type != PT_LOAD || !holds(real_allocator.malloc)) continue;
    if (holds(real_allocator.mmap)) return 1;
    real_allocator.code_begin = begin;
    real_allocator.code_end = end;
    return 1;
  }
  return 0;
}

}  // namespace

constinit RealAllocator real_allocator;
alignas(kAlignment) constinit char early_room[64U << 10];

namespace {

// `free` is found last, as it tells that all of them are.
void find_all(void* (*find_function)(const char* name)) {
  RealAllocator& found = real_allocator;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find_function(name));
  };
  find(found.malloc, "malloc");
  find(found.calloc, "calloc");
  find(found.realloc, "realloc");
  find(found.posix_memalign, "posix_memalign");
  find(found.aligned_alloc, "aligned_alloc");
  find(found.memalign, "memalign");
  find(found.valloc, "valloc");
  find(found.pvalloc, "pvalloc");
  find(found.usable_size, "malloc_usable_size");
  if (found.usable_size == nullptr) found.usable_size = &without_size;
  find(found.mmap, "mmap");
  find(found.munmap, "munmap");
  find(found.mremap, "mremap");
  find(found.free, "free");
  found.has_headers = true;  // as the test asks
  found.has_headers = finds_headers(found);
  dl_iterate_phdr(&find_code, nullptr);
  choose_quick_state();
}

}  // namespace

void* find_behind(const char* name) { return dlsym(RTLD_NEXT, name); }

void find_real_allocator() {
  if (looking) return;
  looking = true;
  find_all(&find_behind);
  looking = false;
}

void* find_in_program(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found != nullptr && !is_definition(found)) {
    void* library = find_library(&defines_itself, name);
    found = library == nullptr ? nullptr : dlsym(library, name);
  }
  return found == nullptr || is_own(found) ? nullptr : found;
}

void find_program_allocator() {
  if (!is_known()) find_all(&find_in_program);
}

bool is_looking() { return looking; }

void* early_block(std::size_t size) {
  const std::size_t needed = kAlignment + (size + kAlignment - 1) / kAlignment * kAlignment;
  if (size > sizeof(early_room) || needed > sizeof(early_room) - early_used) return nullptr;
  char* begin = early_room + early_used;
  std::memcpy(begin, &size, sizeof(size));
  std::memcpy(begin + sizeof(size), &BlockHeader::kIsMapped, sizeof(BlockHeader::kIsMapped));
  early_used += needed;
  return begin + kAlignment;
}

std::size_t early_size(const void* block) {
  std::size_t size = 0;
  std::memcpy(&size, static_cast<const char*>(block) - kAlignment, sizeof(size));
  return size;
}

}  // namespace pyrometer::preload
