// Where we were not loaded before the program: what its libraries import of malloc and its
// relatives leads to us while a recording goes on, and back to where it led when that is over.
#pragma once

namespace pyrometer::preload {

// From now on, and counting from zero; but not the library that `except` is in.
void stand_before_imports(const void* except);
// In libraries that came since the last time. Cheap when there are none.
void follow_imports();
// Nothing but the imports: who is in one of our functions comes back from it, so we stay loaded.
void leave_imports();

// Where we were: the library that this is in asks the allocator behind us from now on.
void let_pass(const void* inside);

}  // namespace pyrometer::preload
