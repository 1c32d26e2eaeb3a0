// Begins to measure the lines of functions that turned out to be hot, in the middle of a run.
#pragma once

#include <vector>

#include "collect/hot_functions.h"
#include "collect/line_recording.h"

namespace pyrometer {

// From the session's thread; happens as soon as the interpreter lets us.
void measure_hot_lines(LineRecording& lines, const std::vector<HotFunction>& functions);

}  // namespace pyrometer
