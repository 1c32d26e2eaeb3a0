// What a process was given by its launcher and may use of its machine, as attributes of its
// recording: launcher, rank.local, cores, cores.host, threads.OMP_NUM_THREADS, ...
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pyrometer {

// By name; what is not known is not there.
std::vector<std::pair<std::string, std::string>> read_launch_facts();

}  // namespace pyrometer
