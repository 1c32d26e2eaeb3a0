// What reading another program's frames must know of one CPython build, as plain numbers:
// constants for 3.11 and 3.12, from 3.13 on what the interpreter says of itself. The walker
// reads this and nothing else.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

namespace pyrometer {

using Offset = std::uint32_t;

// Where a complete chain of frames ends; one that ends elsewhere was caught half-made.
enum class ChainEnd : std::uint8_t {
  kEntryFlag,   // at a frame marked as the interpreter's first
  kEntryFrame,  // at a frame on the C stack that holds no code
  kBaseFrame,   // at the thread's own base frame
};

struct Layout {
  ChainEnd chain_end = ChainEnd::kEntryFrame;
  std::uintptr_t code_type = 0;  // address of the type of code objects

  struct Thread {
    Offset frame = 0;  // of the leaf, or of the cframe that holds it
    bool frame_is_behind_cframe = false;
    Offset root_cframe = 0;
    Offset base_frame = 0;
    Offset data_chunk = 0, data_top = 0;
    Offset native_id = 0;
  } thread;
  struct CFrame {
    Offset frame = 0, previous = 0;
  } cframe;
  struct Frame {
    Offset code = 0, previous = 0, instruction = 0, owner = 0, is_entry = 0;
    Offset size = 0;
    std::uintptr_t code_tag_bits = 0;  // to be cleared before the pointer is used
  } frame;
  struct Code {
    Offset file = 0, name = 0, qualified_name = 0, line_table = 0, first_line = 0;
    Offset instructions = 0;
    Offset stack_size = 0, local_count = 0;  // where frames are behind a cframe
  } code;
  struct Text {
    Offset state = 0, length = 0, ascii_data = 0, compact_data = 0;
  } text;
  struct Bytes {
    Offset size = 0, data = 0;
  } bytes;

  // The same in every version so far; the self-test would notice a change.
  static constexpr Offset kObjectType = 8;
  static constexpr Offset kObjectSize = 16;  // code: number of 2-byte instructions
  static constexpr Offset kChunkPrevious = 0, kChunkSize = 8, kChunkTop = 16, kChunkData = 24;
  static constexpr std::uint8_t kOwnedByThread = 0, kOwnedByGenerator = 1, kOwnedByInterpreter = 3;
};

// `runtime` is _PyRuntime, or nothing when it is not exported. The fields code_type and
// thread.native_id are learnt at start (self_test.h).
Result<Layout> layout_for(std::uint32_t version, std::span<const char> runtime);

}  // namespace pyrometer
