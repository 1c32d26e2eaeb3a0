#include "cpython/soon.h"

#include <pthread.h>

#include <memory>

#include "cpython/python_api.h"

namespace pyrometer {
namespace {

struct Order {
  void (*work)(void*);
  void* argument;
};

int do_as_pending_call(void* argument) {
  const std::unique_ptr<Order> order(static_cast<Order*>(argument));
  order->work(order->argument);
  return 0;
}

// If the interpreter ends meanwhile, it ends this thread by unwinding it: nothing here has a
// destructor.
void* do_in_own_thread(void* argument) {
  auto* order = static_cast<Order*>(argument);
  const PyGILState_STATE state = PyGILState_Ensure();
  order->work(order->argument);
  delete order;
  PyGILState_Release(state);
  return nullptr;
}

// Born with all signals blocked, if the calling thread has them so.
bool start_own_thread(Order* order) {
  pthread_t thread{};
  if (pthread_create(&thread, nullptr, &do_in_own_thread, order) != 0) return false;
  pthread_detach(thread);
  return true;
}

}  // namespace

bool do_soon(void (*work)(void*), void* argument) {
  // Before 3.13 a main thread that is busy alone does not look for pending calls.
  constexpr unsigned long kFirstThatLooks = 0x030D0000;
  auto order = std::make_unique<Order>(Order{work, argument});
  const bool is_taken = Py_Version >= kFirstThatLooks
                            ? Py_AddPendingCall(&do_as_pending_call, order.get()) == 0
                            : start_own_thread(order.get());
  if (is_taken) [[maybe_unused]]
    const Order* taken = order.release();
  return is_taken;
}

}  // namespace pyrometer
