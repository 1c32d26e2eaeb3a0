/* Waits in every way that a signal handler can interrupt, between bursts of work, and counts
 * how often a wait ended with EINTR. The system restarts none of these calls by itself. */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kShortWait = 300000, kBurst = 200000 }; /* nanoseconds */

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void burst(void) {
  const int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + kBurst;
  while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

/* One wait of the kind; what the system call returned. */
static int wait_once(int kind, int resource) {
  const struct timespec wait = {0, kShortWait};
  struct timeval short_wait = {0, kShortWait / 1000};
  struct epoll_event event;
  struct sembuf down = {0, -1, 0};
  switch (kind) {
    case 0: return ppoll(NULL, 0, &wait, NULL);
    case 1: return nanosleep(&wait, NULL);
    case 2: return epoll_wait(resource, &event, 1, 1);
    case 3: return select(0, NULL, NULL, NULL, &short_wait);
    case 4: return semtimedop(resource, &down, 1, &wait);
    case 5: return (errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL)) ? -1 : 0;
    case 6: return (int)recv(resource, &event, 1, 0);
    case 7: return poll(NULL, 0, 1);
    default: return -1;
  }
}

static int make_resource(int kind) {
  int sockets[2];
  struct timeval limit = {0, 1000};
  switch (kind) {
    case 2: return epoll_create1(EPOLL_CLOEXEC);
    case 4: return semget(IPC_PRIVATE, 1, 0600);
    case 6:
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return -1;
      setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      return sockets[0];
    default: return 0;
  }
}

/* Waits and works for the time, and at least so often; [0] is the number of waits, [1] how many
 * were interrupted. */
void wait_and_count(int kind, double seconds, int64_t least, int64_t counts[2]) {
  const int64_t end = now(CLOCK_MONOTONIC) + (int64_t)(seconds * 1e9);
  const int resource = make_resource(kind);
  while (now(CLOCK_MONOTONIC) < end || counts[0] < least) {
    burst();
    ++counts[0];
    if (wait_once(kind, resource) < 0 && errno == EINTR) ++counts[1];
  }
  if (kind == 4) semctl(resource, 0, IPC_RMID);
}
