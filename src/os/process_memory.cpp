#include "os/process_memory.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "os/small_file.h"

namespace pyrometer {
namespace {

std::optional<std::int64_t> number_in(const std::string& path) {
  std::array<char, 64> buffer{};
  const std::string_view text = read_small(path.c_str(), buffer);
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// From a group to the root of its hierarchy: each may have a limit.
void look_for_limit(const std::string& root, std::string group, const char* limit_file,
                    const char* peak_file, std::optional<GroupMemory>& tightest) {
  // What version 1 says where there is none.
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;
  while (true) {
    const std::string folder = root + group + "/";
    const auto limit = number_in(folder + limit_file);
    if (limit && *limit < kNoLimit && (!tightest || *limit < tightest->limit)) {
      tightest = {*limit, number_in(folder + peak_file)};
    }
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return;
    group.resize(slash);
  }
}

}  // namespace

std::int64_t ResidentMemory::now() {
  std::array<char, 128> buffer{};
  const std::string_view text = pages_.read(buffer);
  const std::size_t second = text.find(' ');
  if (second == std::string_view::npos) return 0;
  std::int64_t pages = 0;
  std::from_chars(text.data() + second + 1, text.data() + text.size(), pages);
  static const std::int64_t page_size = sysconf(_SC_PAGESIZE);
  return pages * page_size;
}

std::int64_t most_resident_memory() {
  std::array<char, 4096> buffer{};
  const std::string_view text = read_small("/proc/self/status", buffer);
  constexpr std::string_view kTitle = "VmHWM:";
  const std::size_t found = text.find(kTitle);
  if (found == std::string_view::npos) return 0;
  long long kilobytes = 0;
  return std::sscanf(text.data() + found + kTitle.size(), "%lld", &kilobytes) == 1
             ? kilobytes * 1024
             : 0;
}

std::int64_t physical_memory() {
  return std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
}

std::optional<GroupMemory> group_memory() {
  std::optional<GroupMemory> tightest;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (group == "/") group.clear();
    if (controllers.empty()) {
      look_for_limit("/sys/fs/cgroup", group, "memory.max", "memory.peak", tightest);
    } else if (controllers == "memory") {
      look_for_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                     "memory.max_usage_in_bytes", tightest);
    }
  }
  return tightest;
}

}  // namespace pyrometer
