// What the command line says and where: results on standard output, everything else on
// standard error.
#pragma once

#include <chrono>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace pyrometer {

// Fails on a full disk or a closed output.
Result<void> write_to_stdout(std::string_view text);

bool stdin_is_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

// On a terminal, unless NO_COLOR is set or the terminal is dumb; FORCE_COLOR overrides.
bool use_color_on_stdout();
bool use_color_on_stderr();

// For what is no result but was asked for; there is nobody to tell when it fails.
void write_to_stderr(std::string_view text);

// "pyrometer: ..." on standard error, made printable.
void print_error(std::string_view message);

// A line that counts up on standard error, when that is a terminal and the work takes long
// enough to wonder. Removes itself.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  Progress listener();

 private:
  void show(std::string_view step, std::uint64_t done, std::uint64_t total);

  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace pyrometer
