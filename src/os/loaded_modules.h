// Which library of this process an address belongs to. Not for signal handlers: it asks the
// dynamic linker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyrometer {

struct LoadedModule {
  std::string path;
  std::string build_id;
  std::uintptr_t load_base = 0;  // an address minus this is an offset in the file's own numbering
  std::uintptr_t begin = 0, end = 0;  // of its code
};

class LoadedModules {
 public:
  // Looks for libraries that came since the last time; cheap when there are none.
  void update();
  // The number of the module whose code holds `address`.
  std::optional<std::size_t> find(std::uintptr_t address) const;
  const LoadedModule& operator[](std::size_t number) const { return modules_[number]; }

 private:
  std::vector<LoadedModule> modules_;  // only grows, so that numbers stay valid
  unsigned long long loads_seen_ = 0;
};

}  // namespace pyrometer
