// Looks through the libraries that are loaded, in the order they came.
#pragma once

namespace pyrometer::preload {

// The first that the question is answered with yes for, kept loaded; nullptr: none.
void* find_library(bool (*is_wanted)(void* handle, const char* symbol), const char* symbol);

}  // namespace pyrometer::preload
