#include "os/loaded_modules.h"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace pyrometer {
namespace {

std::string build_id_of(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info.dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof(note));
      const char* name = at + sizeof(note);
      const char* content = name + ((note.n_namesz + 3U) & ~3U);
      if (content + note.n_descsz > end) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          std::memcmp(name, "GNU", 4) == 0) {
        return {content, note.n_descsz};
      }
      at = content + ((note.n_descsz + 3U) & ~3U);
    }
  }
  return {};
}

std::string path_of(const dl_phdr_info& info) {
  if (info.dlpi_name != nullptr && *info.dlpi_name != '\0') return info.dlpi_name;
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "program" : path.string();
}

struct Found {
  std::vector<LoadedModule> modules;
  unsigned long long loads = 0;
};

int collect(dl_phdr_info* info, std::size_t, void* data) {
  auto& found = *static_cast<Found*>(data);
  found.loads = info->dlpi_adds;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    found.modules.push_back(
        {.path = {}, .load_base = info->dlpi_addr, .begin = begin, .end = begin + segment.p_memsz});
    found.modules.back().path = path_of(*info);
    found.modules.back().build_id = build_id_of(*info);
  }
  return 0;
}

int count_loads(dl_phdr_info* info, std::size_t, void* data) {
  *static_cast<unsigned long long*>(data) = info->dlpi_adds;
  return 1;  // the first tells it
}

}  // namespace

std::optional<std::size_t> LoadedModules::find(std::uintptr_t address) const {
  // The newest first: an address may have belonged to a library that was unloaded.
  for (std::size_t i = modules_.size(); i-- > 0;) {
    if (modules_[i].begin <= address && address < modules_[i].end) return i;
  }
  return std::nullopt;
}

void LoadedModules::update() {
  unsigned long long loads = 0;
  dl_iterate_phdr(count_loads, &loads);
  if (loads == loads_seen_) return;
  Found found;
  dl_iterate_phdr(collect, &found);
  loads_seen_ = found.loads;
  for (LoadedModule& module : found.modules) {
    const auto is_same = [&](const LoadedModule& known) {
      return known.begin == module.begin && known.end == module.end && known.path == module.path;
    };
    if (std::none_of(modules_.begin(), modules_.end(), is_same)) {
      modules_.push_back(std::move(module));
    }
  }
}

}  // namespace pyrometer
