// Which blocks and arenas we saw come, where we came into a running program: it gives back what it
// had before, and what the C library made for itself, which never counted. A byte for each place
// that a block can begin at, in pages that are there once they are written to.
#pragma once

namespace pyrometer::preload {

// Whether only what is marked counts when it goes.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): a constant, in its one source.
extern constinit bool counts_marked_only;

// Nothing is marked any more.
void forget_marks();

// False: there is no room, and the block does not count.
bool mark(const void* block);
// Whether it was marked; not any more.
bool take_mark(const void* block);

}  // namespace pyrometer::preload
