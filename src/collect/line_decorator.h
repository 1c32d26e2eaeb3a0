// `profile` among the builtins, as kernprof has it, while lines are recorded.
#pragma once

#include "base/file.h"
#include "collect/line_recording.h"

namespace pyrometer {

// Needs the GIL. Leaves one that the program has already. `targets_file`: the Python code that
// finds the functions behind other things.
void install_line_decorator(LineRecording& lines, const Path& targets_file);
// What the program still has of it does nothing.
void uninstall_line_decorator();

}  // namespace pyrometer
