// Calls of Python functions alone, on 3.11: the interpreter hands each frame it evaluates to us
// (PEP 523), which costs a third of what the profile function does. But then every call takes
// room on the C stack; when that grows short, the profile function takes over.
#pragma once

#include "base/result.h"

namespace pyrometer {

// For the calling thread's Profile. False: this interpreter has no such hook, or the stack is
// short already; the profile function must do.
bool start_evaluation_hook();
// False: it was not started here, or the profile function has taken over since.
bool stop_evaluation_hook();

}  // namespace pyrometer
