// Numbers of processes and threads for viewers that tell them apart by those alone. They are the
// operating system's where these differ; ranks on several machines may share a pid, and merged or
// foreign profiles may have none.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

std::vector<std::uint64_t> process_numbers(const Profile& profile);  // by process
std::vector<std::uint64_t> thread_numbers(const Profile& profile);   // by thread

}  // namespace pyrometer
