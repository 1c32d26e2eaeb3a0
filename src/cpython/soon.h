// Something to do inside the interpreter, asked for by a thread that has nothing to do with it.
#pragma once

namespace pyrometer {

// Calls `work(argument)` with the GIL, in some thread, as soon as that can be had; never when the
// interpreter ends before. What it is given stays the caller's until then. False: it cannot be.
bool do_soon(void (*work)(void* argument), void* argument);

}  // namespace pyrometer
