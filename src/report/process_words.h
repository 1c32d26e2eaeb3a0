// How processes are called in every table.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace pyrometer {

// "rank 12, node07:4711"; the file where nothing else is known.
std::string process_words(const Process& process);

// "rank 12", "child 4711": where all are of one job, or of one file.
std::string short_process_words(const Process& process);

// "finished", "exit status 3", "killed", "truncated", "damaged"
std::string status_words(const Process& process);

}  // namespace pyrometer
