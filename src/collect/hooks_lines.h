#pragma once

#include "base/file.h"
#include "collect/line_recording.h"
#include "cpython/layout.h"

namespace pyrometer {

// Needs the GIL. Without a layout the main module itself stays unmeasured.
void install_line_hooks(LineRecording& lines, const Layout* layout, const Path& targets_file);
void uninstall_line_hooks();

}  // namespace pyrometer
