// Tells when a thread ends, whoever made it: `OnEnd` is called in it with what was last set for
// the key by pthread_setspecific().
#pragma once

#include <pthread.h>

namespace pyrometer {

template <void (*OnEnd)(void*)>
pthread_key_t thread_end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, OnEnd);
    return made;
  }();
  return key;
}

}  // namespace pyrometer
