// The agent of this process: what the Python module and the hooks share.
#pragma once

#include <string>

#include "base/result.h"
#include "collect/session.h"

namespace pyrometer {

// Starts recording this process if its environment asks for it. Needs the GIL. `hook` is the
// file that calls us, whose frames are not the program's. Whatever goes wrong is said through the
// notices, never to the program.
void start_agent(const std::string& hook);

// The session of this process; nullptr when it is not recorded.
Session* current_session();

// Around a fork, in this order; after_fork_in_child() begins a recording of its own.
void before_fork();
void after_fork_in_parent();
void after_fork_in_child();

}  // namespace pyrometer
