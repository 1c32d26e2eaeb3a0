#include "preload/imports.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>

#include "preload/page_protection.h"

namespace pyrometer::preload {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kImports[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#elif defined(__aarch64__)
constexpr std::uint32_t kImports[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#else
constexpr std::uint32_t kImports[] = {};
#endif

bool is_import(std::uint64_t type) {
  return std::any_of(std::begin(kImports), std::end(kImports),
                     [type](std::uint32_t known) { return type == known; });
}

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

// What the loader makes read-only when all of a library is in its place: whole pages.
Range whole_pages(Range part) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return {part.begin & ~(page - 1), part.end & ~(page - 1)};
}

// The part of a loaded library that the loader works with.
class DynamicSection {
 public:
  explicit DynamicSection(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    code_.begin = UINTPTR_MAX;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info.dlpi_phdr[i];
      const Range range{base_ + part.p_vaddr, base_ + part.p_vaddr + part.p_memsz};
      if (part.p_type == PT_DYNAMIC) read(reinterpret_cast<const ElfW(Dyn)*>(range.begin));
      if (part.p_type == PT_GNU_RELRO) protected_ = whole_pages(range);
      if (part.p_type == PT_LOAD) {
        code_ = {std::min(code_.begin, range.begin), std::max(code_.end, range.end)};
      }
    }
  }

  // Another thread may be loading it: what the loader has not made read-only yet it may be writing
  // to, and must not find read-only before it is done.
  bool redirect(Choose choose, PageProtection& pages) const {
    if (symbols_ == nullptr || names_ == nullptr) return true;
    const bool has_protected = protected_.begin < protected_.end;
    if (has_protected && !pages.is_read_only(protected_.begin)) return false;
    redirect(plain_, plain_size_, choose);
    redirect(jumps_, jumps_size_, choose);
    return true;
  }

 private:
  void read(const ElfW(Dyn) * entry) {
    for (; entry->d_tag != DT_NULL; ++entry) {
      switch (entry->d_tag) {
        case DT_SYMTAB: symbols_ = at<ElfW(Sym)>(*entry); break;
        case DT_STRTAB: names_ = at<char>(*entry); break;
        case DT_RELA: plain_ = at<ElfW(Rela)>(*entry); break;
        case DT_RELASZ: plain_size_ = entry->d_un.d_val; break;
        case DT_JMPREL: jumps_ = at<ElfW(Rela)>(*entry); break;
        case DT_PLTRELSZ: jumps_size_ = entry->d_un.d_val; break;
        default: break;
      }
    }
  }

  // glibc writes addresses into the section, other loaders, and the kernel's own library, leave
  // offsets there.
  template <class T>
  const T* at(const ElfW(Dyn) & entry) const {
    const ElfW(Addr) address = entry.d_un.d_ptr;
    return reinterpret_cast<const T*>(address < base_ ? address + base_ : address);
  }

  void redirect(const ElfW(Rela) * relocations, std::size_t size, Choose choose) const {
    if (relocations == nullptr) return;
    for (std::size_t i = 0; i < size / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Rela)& relocation = relocations[i];
      if (!is_import(ELF64_R_TYPE(relocation.r_info))) continue;
      const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(relocation.r_info)];
      if (symbol.st_shndx != SHN_UNDEF) continue;
      redirect(names_ + symbol.st_name, base_ + relocation.r_offset, choose);
    }
  }

  void redirect(const char* name, std::uintptr_t address, Choose choose) const {
    auto& slot = *reinterpret_cast<std::atomic<Function>*>(address);
    Import import{.name = name,
                  .function = slot.load(std::memory_order_relaxed),
                  .library = reinterpret_cast<const void*>(base_)};
    if (import.function == nullptr) return;
    import.is_bound = !code_.holds(reinterpret_cast<std::uintptr_t>(import.function));
    const Function wanted = choose(import);
    if (wanted != nullptr && wanted != import.function) write(slot, address, wanted);
  }

  void write(std::atomic<Function>& slot, std::uintptr_t address, Function function) const {
    const bool is_protected = protected_.holds(address);
    const auto page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto* page = reinterpret_cast<void*>(address & ~(page_size - 1));
    if (is_protected && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return;
    slot.store(function, std::memory_order_relaxed);
    if (is_protected) mprotect(page, page_size, PROT_READ);
  }

  ElfW(Addr) base_;
  Range code_, protected_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const ElfW(Rela) * plain_ = nullptr;
  const ElfW(Rela) * jumps_ = nullptr;
  std::size_t plain_size_ = 0, jumps_size_ = 0;
};

struct Visit {
  Choose choose;
  PageProtection pages;
  bool is_whole = true;
};

int redirect_imports_of(dl_phdr_info* info, std::size_t, void* data) {
  auto& visit = *static_cast<Visit*>(data);
  if (!DynamicSection(*info).redirect(visit.choose, visit.pages)) visit.is_whole = false;
  return 0;
}

int count_changes(dl_phdr_info* info, std::size_t, void* data) {
  *static_cast<unsigned long long*>(data) = info->dlpi_adds + info->dlpi_subs;
  return 1;  // the first tells it
}

}  // namespace

// While the loader holds its list still, nothing is unloaded, and no two threads are here.
bool redirect_imports(Choose choose) {
  Visit visit{.choose = choose, .pages = {}};
  dl_iterate_phdr(&redirect_imports_of, &visit);
  return visit.is_whole;
}

unsigned long long count_library_changes() {
  unsigned long long changes = 0;
  dl_iterate_phdr(&count_changes, &changes);
  return changes;
}

}  // namespace pyrometer::preload
