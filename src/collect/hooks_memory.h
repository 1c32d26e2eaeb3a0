// Puts the library before malloc also before Python's own allocator, whose blocks malloc never
// sees.
#pragma once

#include <cstdint>

#include "os/memory_table.h"

namespace pyrometer {

// Nothing where it is of another version than the agent.
const pyrometer_memory_table* usable_memory_library(const void* table);
// Nothing when it was not loaded before the program.
const pyrometer_memory_table* find_memory_library();
// Whether the library sees each of Python's objects by itself, as with PYTHONMALLOC=malloc.
bool objects_come_from_malloc(const pyrometer_memory_table& library);
// Whose end is heard: of few objects only those that are told of, which is much cheaper.
enum class ObjectEnds : std::uint8_t { kOfFew, kOfAll };
// Objects that are there already go back to Python's allocator either way. With the GIL.
void hook_python_memory(const pyrometer_memory_table& library, ObjectEnds ends);
// From now on; false where somebody came before us since, and the end of some is not heard. With
// the GIL.
bool hear_of_all_object_ends(const pyrometer_memory_table& library);
void unhook_python_memory();

}  // namespace pyrometer
