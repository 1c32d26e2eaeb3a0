// What tasks of asyncio are counted as. Names that asyncio makes up tell nothing, and each task has
// another one: such tasks go by their coroutine. Numbers at the end of a name tell tasks of a kind
// apart: they count together.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// "Task-17" of main() is "main()", "worker-3" is "worker-*"; "stage1" is itself.
std::string task_kind(std::string_view name, std::string_view coroutine);

}  // namespace pyrometer
