// Preloaded into Python: a system that allows no more threads, from the start where REFUSE_THREADS
// is set, and while the program wants it so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int refuses = -1;

void refuse_threads(int yes) { refuses = yes; }

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = NULL;
  if (refuses < 0) refuses = getenv("REFUSE_THREADS") != NULL;
  if (refuses && strncmp(program_invocation_short_name, "python", 6) == 0) return EAGAIN;
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, start, argument);
}
