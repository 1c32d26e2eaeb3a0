#include "os/task_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "os/small_file.h"

namespace pyrometer {
namespace {

std::array<char, 64> task_path(int tid, const char* file) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", tid, file);
  return path;
}

}  // namespace

std::vector<int> list_threads() {
  std::vector<int> threads;
  DIR* folder = opendir("/proc/self/task");
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    const int tid = std::atoi(entry->d_name);
    if (tid > 0) threads.push_back(tid);
  }
  closedir(folder);
  return threads;
}

bool is_thread_alive(int tid) { return ::access(task_path(tid, "comm").data(), F_OK) == 0; }

std::size_t count_threads() {
  struct stat status {};
  constexpr nlink_t kOwnLinks = 2;  // the folder has one for each thread besides
  if (stat("/proc/self/task", &status) != 0 || status.st_nlink < kOwnLinks) return 0;
  return status.st_nlink - kOwnLinks;
}

WatchedTask::WatchedTask(int tid)
    : system_call_(task_path(tid, "syscall").data()),
      schedule_(task_path(tid, "schedstat").data()) {}

void WatchedTask::close() {
  system_call_.close();
  schedule_.close();
}

std::optional<TaskState> WatchedTask::state() {
  std::array<char, 256> buffer{};
  const std::string_view text = system_call_.read(buffer);
  if (text.empty()) return std::nullopt;
  TaskState state;
  if (text.starts_with("running")) {
    state.is_running = true;
    return state;
  }
  // The number, six arguments, stack pointer and program counter; outside a call only -1 and
  // the last two.
  unsigned long first = 0;
  unsigned long second = 0;
  unsigned long stack = 0;
  const int fields = std::sscanf(buffer.data(), "%ld 0x%lx 0x%lx 0x%*x 0x%*x 0x%*x 0x%*x 0x%lx",
                                 &state.system_call, &first, &second, &stack);
  if (fields < 2) return std::nullopt;
  state.is_in_system_call = state.system_call >= 0;
  state.first_argument = state.is_in_system_call ? first : 0;
  state.stack_pointer = state.is_in_system_call ? stack : first;
  return state;
}

std::optional<std::int64_t> WatchedTask::run_delay() {
  std::array<char, 128> buffer{};
  if (schedule_.read(buffer).empty()) return std::nullopt;
  long long ran = 0;
  long long waited = 0;
  if (std::sscanf(buffer.data(), "%lld %lld", &ran, &waited) != 2) return std::nullopt;
  return waited;
}

std::string read_task_name(int tid) {
  std::array<char, 64> buffer{};
  std::string name(read_small(task_path(tid, "comm").data(), buffer));
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

bool is_signal_blocked(int tid, int signal) {
  std::array<char, 4096> buffer{};
  read_small(task_path(tid, "status").data(), buffer);
  const char* line = std::strstr(buffer.data(), "SigBlk:");
  if (line == nullptr) return false;
  const unsigned long long mask = std::strtoull(line + std::strlen("SigBlk:"), nullptr, 16);
  return ((mask >> static_cast<unsigned>(signal - 1)) & 1U) != 0;
}

std::uintptr_t mapping_end(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2 && begin <= address &&
        address < end) {
      return end;
    }
  }
  return 0;
}

}  // namespace pyrometer
