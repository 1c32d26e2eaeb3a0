#include "os/tool_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "os/unique_fd.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLongestComplaint = 64 << 10;

class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void open_null(int fd, int mode) {
    ::posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", mode, 0);
  }
  void duplicate(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The words as the system wants them, and the reason why it did not start.
Result<pid_t> spawn(std::vector<std::string>& argv, const SpawnActions& actions,
                    const posix_spawnattr_t* attributes) {
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t pid = 0;
  const int reason =
      ::posix_spawnp(&pid, words[0], actions.get(), attributes, words.data(), environ);
  if (reason == 0) return pid;
  const bool is_missing = reason == ENOENT || reason == ENOTDIR;
  return fail(is_missing ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot start '{}': {}", argv[0],
              std::error_code(reason, std::generic_category()).message());
}

// What a library opened without the flag, such as a listening socket, would live on in a program
// that outlives us.
void keep_files_to_ourselves() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const int fd = std::atoi(entry.path().filename().c_str());  // NOLINT(cert-err34-c): a number
    if (fd > STDERR_FILENO) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
}

// Until the other end is closed; what is too long is read and forgotten.
std::string read_all(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t size = ::read(fd, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    const std::size_t room = kLongestComplaint - text.size();
    text.append(buffer, std::min(room, static_cast<std::size_t>(size)));
  }
}

}  // namespace

Result<ToolEnding> run_tool(std::vector<std::string> argv) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kIo, "cannot start '{}': {}", argv[0], last_error_text());
  }
  const UniqueFd from_tool(ends[0]);
  UniqueFd to_us(ends[1]);
  SpawnActions actions;
  actions.open_null(STDIN_FILENO, O_RDONLY);
  actions.open_null(STDOUT_FILENO, O_WRONLY);
  actions.duplicate(to_us.get(), STDERR_FILENO);
  PYROMETER_TRY(const pid_t pid, spawn(argv, actions, nullptr));
  to_us.close();
  ToolEnding ending{.complaint = read_all(from_tool.get())};
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    ending.signal = WTERMSIG(status);
  } else {
    ending.status = WEXITSTATUS(status);
  }
  return ending;
}

Result<void> start_tool(std::vector<std::string> argv) {
  keep_files_to_ourselves();
  SpawnActions actions;
  actions.open_null(STDIN_FILENO, O_RDONLY);
  actions.open_null(STDOUT_FILENO, O_WRONLY);
  actions.open_null(STDERR_FILENO, O_WRONLY);
  posix_spawnattr_t attributes{};
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  const Result<pid_t> started = spawn(argv, actions, &attributes);
  ::posix_spawnattr_destroy(&attributes);
  if (!started) return tl::unexpected(started.error());
  return {};
}

}  // namespace pyrometer
