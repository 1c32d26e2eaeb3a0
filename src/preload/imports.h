// What loaded libraries import, replaced in their tables of imports while the program runs.
#pragma once

namespace pyrometer::preload {

using Function = void (*)();

struct Import {
  const char* name = nullptr;
  Function function = nullptr;    // what is called today
  bool is_bound = false;          // else that is code of the library, which first asks the loader
  const void* library = nullptr;  // where it is loaded
};

// What is to be called from now on; nullptr: as before.
using Choose = Function (*)(const Import& import);

// In all libraries that are loaded now. What was looked for and not found stays missing. False:
// one of them was still being loaded, and is to be visited again.
bool redirect_imports(Choose choose);

// Another number after every library that came or went.
unsigned long long count_library_changes();

}  // namespace pyrometer::preload
