// Recordings that the program begins and ends itself, in the middle of what it does. One at a time,
// any number one after another. Everything with the GIL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "collect/options.h"
#include "collect/session.h"
#include "cpython/python_api.h"

namespace pyrometer {

struct InsideRequest {
  std::string output;             // name of the run directory; empty: the default one
  Path folder;                    // where that is made
  std::string script;             // what the program is called
  std::vector<std::string> argv;  // that started it
  bool replace = false;           // an earlier run of this name
  AgentOptions options;           // all but where
  Path targets_file;              // see line_decorator.h
  Session::RunningThread own_thread;
  std::vector<Session::RunningThread> threads;  // the others that Python knows
  std::vector<int> left_out;                    // tids of threads that are not the program's
  std::vector<PyObject*> functions;             // whose lines are measured; borrowed, as the next
  std::vector<PyObject*> codes;                 // that this thread is in, the outermost first
};

// The run's directory.
Result<Path> begin_inside(const InsideRequest& request);

struct InsideEnd {
  bool has_all = true;  // false: other ranks of the launch still record into the same directory
};
Result<InsideEnd> end_inside();

// Also of a recording that `pyrometer run` began; nothing where there is none.
void pause_recording();
void resume_recording();

// The directory of the run that this process is recorded in.
std::optional<Path> recorded_in();

}  // namespace pyrometer
