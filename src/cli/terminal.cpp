#include "cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/file.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

using namespace std::chrono_literals;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool use_color(bool is_terminal) {
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return true;
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return is_terminal && !is_dumb;
}

}  // namespace

Result<void> write_to_stdout(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    return fail(ErrorCode::kIo, "cannot write to standard output: {}", last_error_text());
  }
  return {};
}

bool stdin_is_terminal() { return isatty(STDIN_FILENO) != 0; }

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

bool use_color_on_stdout() { return use_color(stdout_is_terminal()); }

bool use_color_on_stderr() { return use_color(stderr_is_terminal()); }

void write_to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_error(std::string_view message) {
  const std::string line = "pyrometer: " + printable(message) + "\n";
  std::fputs(line.c_str(), stderr);
}

ProgressLine::ProgressLine()
    : is_terminal_(stderr_is_terminal()), start_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
}

Progress ProgressLine::listener() {
  if (!is_terminal_) return {};
  return [this](std::string_view step, std::uint64_t done, std::uint64_t total) {
    show(step, done, total);
  };
}

void ProgressLine::show(std::string_view step, std::uint64_t done, std::uint64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  is_shown_ = true;
  const std::string line = fmt::format("\r\x1b[Kpyrometer: {} {} of {}", step, done, total);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace pyrometer
