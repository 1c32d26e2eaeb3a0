#include "collect/wait_kinds.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

namespace pyrometer {
namespace {

struct KnownCall {
  long number;
  TimeKind kind;
  const char* name;
};

#define PYROMETER_CALL(name, kind) \
  KnownCall { SYS_##name, TimeKind::kind, #name }
constexpr KnownCall kKnownCalls[] = {
    PYROMETER_CALL(clock_nanosleep, kSleep),
    PYROMETER_CALL(nanosleep, kSleep),
    PYROMETER_CALL(futex, kLockWait),
    PYROMETER_CALL(semtimedop, kLockWait),
    PYROMETER_CALL(semop, kLockWait),
    PYROMETER_CALL(flock, kLockWait),
    PYROMETER_CALL(read, kIo),
    PYROMETER_CALL(write, kIo),
    PYROMETER_CALL(readv, kIo),
    PYROMETER_CALL(writev, kIo),
    PYROMETER_CALL(pread64, kIo),
    PYROMETER_CALL(pwrite64, kIo),
    PYROMETER_CALL(preadv, kIo),
    PYROMETER_CALL(pwritev, kIo),
    PYROMETER_CALL(openat, kIo),
    PYROMETER_CALL(close, kIo),
    PYROMETER_CALL(fsync, kIo),
    PYROMETER_CALL(fdatasync, kIo),
    PYROMETER_CALL(sync, kIo),
    PYROMETER_CALL(msync, kIo),
    PYROMETER_CALL(ftruncate, kIo),
    PYROMETER_CALL(fallocate, kIo),
    PYROMETER_CALL(getdents64, kIo),
    PYROMETER_CALL(statx, kIo),
    PYROMETER_CALL(sendfile, kIo),
    PYROMETER_CALL(splice, kIo),
    PYROMETER_CALL(copy_file_range, kIo),
    PYROMETER_CALL(recvfrom, kIo),
    PYROMETER_CALL(recvmsg, kIo),
    PYROMETER_CALL(recvmmsg, kIo),
    PYROMETER_CALL(sendto, kIo),
    PYROMETER_CALL(sendmsg, kIo),
    PYROMETER_CALL(accept, kIo),
    PYROMETER_CALL(accept4, kIo),
    PYROMETER_CALL(connect, kIo),
    PYROMETER_CALL(ppoll, kIo),
    PYROMETER_CALL(pselect6, kIo),
    PYROMETER_CALL(epoll_pwait, kIo),
    PYROMETER_CALL(wait4, kIdle),
    PYROMETER_CALL(waitid, kIdle),
    PYROMETER_CALL(rt_sigtimedwait, kIdle),
    PYROMETER_CALL(rt_sigsuspend, kIdle),
#ifdef SYS_poll  // only the older machines have these
    PYROMETER_CALL(poll, kIo),
    PYROMETER_CALL(select, kIo),
    PYROMETER_CALL(epoll_wait, kIo),
    PYROMETER_CALL(open, kIo),
    PYROMETER_CALL(stat, kIo),
    PYROMETER_CALL(pause, kSleep),
#endif
};
#undef PYROMETER_CALL

}  // namespace

Wait wait_of(const TaskState& state, const Symbols& symbols) {
  if (!state.is_in_system_call) return {TimeKind::kIo, "(page fault)"};
  if (state.system_call == SYS_futex && symbols.is_in_runtime(state.first_argument)) {
    return {TimeKind::kGilWait, "(waiting for the GIL)"};
  }
  const auto* known =
      std::find_if(std::begin(kKnownCalls), std::end(kKnownCalls),
                   [&](const KnownCall& call) { return call.number == state.system_call; });
  if (known == std::end(kKnownCalls)) {
    return {TimeKind::kIdle, fmt::format("(system call {})", state.system_call)};
  }
  return {known->kind, fmt::format("({})", known->name)};
}

}  // namespace pyrometer
