// Options of the picture that `pyrometer memory` draws.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/command_line.h"
#include "report/memory_report.h"

namespace pyrometer {

struct MemoryPictureArguments {
  std::string plot;  // the file; empty: no picture
  std::optional<std::string> title;
  std::optional<std::string> window;
  bool no_functions = false;
  bool flame = false;
  bool slope = false;
};

void add_picture_options(CLI::App& command, MemoryPictureArguments& arguments);

Result<MemoryPictureOptions> parse_picture(const MemoryPictureArguments& arguments);

// "0,20.5": two moments in seconds, the second after the first.
Result<MemoryWindow> parse_window(std::string_view text);

}  // namespace pyrometer
