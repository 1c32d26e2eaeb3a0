// "-" as a profile: what another program writes into a pipe.
#pragma once

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

// Standard input as a file, since readers look at the beginning first: made once, of all that comes
// until the end. An error when nothing came.
Result<Path> standard_input_file();

// Happens by itself at the end of the program, unless that is by _Exit.
void remove_standard_input_file();

}  // namespace pyrometer
