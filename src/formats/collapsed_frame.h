// What the text of one frame of collapsed stacks says. Each tool has its own way to write a
// function with its file and line, a thread or a process; all are told by their shape.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/kinds.h"

namespace pyrometer {

struct CollapsedFrame {
  enum class Role {
    kCode,
    kProcess,  // py-spy --subprocesses, austin: what follows ran in it
    kThread,   // py-spy --threads, austin, Python 3.15, perf with --tid, async-profiler -t
    kLine,     // austin -a: the line of the frame before
  };
  Role role = Role::kCode;
  FunctionKind kind = FunctionKind::kNative;
  std::string_view name;       // of a process: its command line
  std::string_view file = {};  // empty: not said
  std::uint32_t line = 0;      // the one that ran; 0: not said
  std::uint64_t pid = 0;       // 0: not said
  std::uint64_t tid = 0;       // a thread's number in whatever system the tool counts
  // The command line of a process goes on in the next frame: it has a ';' of its own.
  bool is_open = false;
};

// austin's texts are so short that they are told from names only where the file is known to be
// austin's.
CollapsedFrame parse_collapsed_frame(std::string_view text, bool is_austin);

}  // namespace pyrometer
