// The few calls of Python's own modules that a recorder must know of. Each is replaced by a
// function of the same name that does what ours needs and then calls the original.
#pragma once

#include <exception>

namespace pyrometer {

// Python is written in C: no exception of ours may pass through it.
template <class Action>
void contained(Action action) {
  try {
    action();
  } catch (const std::exception&) {  // no memory: the program may still have enough
  }
}

// Needs the GIL, as everything here. What cannot be hooked is left alone.
void install_hooks();
void uninstall_hooks();

void install_thread_hooks();   // _thread: threads that begin and end
void install_process_hooks();  // os: fork, exec, _exit
void install_signal_hooks();   // signal: handlers and masks
void uninstall_thread_hooks();
void uninstall_process_hooks();
void uninstall_signal_hooks();

}  // namespace pyrometer
