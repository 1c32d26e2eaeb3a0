// A program may be started with its standard streams closed. What we open must not land
// there, or a message of ours would go into a file of ours.
#pragma once

namespace pyrometer {

// Puts a stand-in where descriptor 0, 1 or 2 is closed. It goes away with exec, so that the
// program we start finds the stream closed as we did.
void fill_closed_streams();

// From now on a reader that has gone is an error of a write and not the end of this process.
void survive_closed_pipes();

}  // namespace pyrometer
