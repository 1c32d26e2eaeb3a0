// A thread state with frames and code objects in plain memory, laid out as some CPython might,
// for tests of reading them. Everything can be broken on purpose.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "cpython/layout.h"
#include "cpython/walk.h"

namespace pyrometer::testing {

struct FakeText {
  std::uint64_t head[2] = {};
  std::int64_t length = 0;
  std::uint64_t hash = 0;
  std::uint32_t state = 0;  // width << 2, compact, ascii
  std::uint32_t padding = 0;
  char data[64] = {};
};

struct FakeBytes {
  std::uint64_t head[2] = {};
  std::int64_t size = 0;
  std::uint64_t hash = 0;
  char data[64] = {};
};

struct FakeCode {
  std::uint64_t references = 1;
  const void* type = nullptr;
  std::int64_t units = 0;
  std::uint64_t first_line = 0;
  FakeText *file = nullptr, *name = nullptr, *qualified_name = nullptr;
  FakeBytes* line_table = nullptr;
  std::uint16_t instructions[32] = {};
};

struct FakeFrame {
  std::uintptr_t code = 0;
  FakeFrame* previous = nullptr;
  const std::uint16_t* instruction = nullptr;
  std::uint8_t owner = 0;
  std::uint8_t padding[7] = {};
};

class FakeInterpreter {
 public:
  FakeInterpreter() {
    chunk_.size = sizeof(chunk_);
    stack_.front().owner = Layout::kOwnedByInterpreter;  // the entry frame on the C stack
    thread_.chunk = &chunk_;
    thread_.top = chunk_.frames.data();
    layout_.chain_end = ChainEnd::kEntryFrame;
    layout_.code_type = reinterpret_cast<std::uintptr_t>(&type_);
    layout_.thread = {.frame = offsetof(Thread, frame),
                      .base_frame = offsetof(Thread, base),
                      .data_chunk = offsetof(Thread, chunk),
                      .data_top = offsetof(Thread, top)};
    layout_.frame = {.code = offsetof(FakeFrame, code),
                     .previous = offsetof(FakeFrame, previous),
                     .instruction = offsetof(FakeFrame, instruction),
                     .owner = offsetof(FakeFrame, owner),
                     .size = sizeof(FakeFrame),
                     .code_tag_bits = 3};
    layout_.code = {.file = offsetof(FakeCode, file),
                    .name = offsetof(FakeCode, name),
                    .qualified_name = offsetof(FakeCode, qualified_name),
                    .line_table = offsetof(FakeCode, line_table),
                    .first_line = offsetof(FakeCode, first_line),
                    .instructions = offsetof(FakeCode, instructions)};
    layout_.text = {.state = offsetof(FakeText, state),
                    .length = offsetof(FakeText, length),
                    .ascii_data = offsetof(FakeText, data),
                    .compact_data = offsetof(FakeText, data)};
    layout_.bytes = {.size = offsetof(FakeBytes, size), .data = offsetof(FakeBytes, data)};
  }

  FakeCode& add_code(const std::string& name, std::uint32_t first_line = 1,
                     const std::string& file = "program.py") {
    FakeCode& code = codes_.emplace_back();
    code.type = &type_;
    code.units = 32;
    code.first_line = first_line;
    code.name = code.qualified_name = text(name);
    code.file = text(file);
    code.line_table = &tables_.emplace_back();
    code.line_table->size = 2;
    std::memcpy(code.line_table->data, "\xf8\xf8", 2);
    return code;
  }

  // A call: the new frame is the leaf.
  FakeFrame& call(const FakeCode& code, std::size_t instruction = 3) {
    FakeFrame& frame = *thread_.top++;
    enter(frame, code, instruction, Layout::kOwnedByThread);
    return frame;
  }

  // The leaf becomes a generator, whose frame lies elsewhere.
  FakeFrame& resume_generator(const FakeCode& code, std::size_t instruction = 3) {
    FakeFrame& frame = generators_.emplace_back();
    enter(frame, code, instruction, Layout::kOwnedByGenerator);
    return frame;
  }

  Walk walk(std::span<RawFrame> frames) {
    OwnMemory memory;
    return FrameWalker(memory, layout_, thread_state(), stack()).walk(frames);
  }

  std::uintptr_t thread_state() const { return reinterpret_cast<std::uintptr_t>(&thread_); }
  StackBounds stack() const {
    const auto low = reinterpret_cast<std::uintptr_t>(stack_.data());
    return {low, low + sizeof(stack_)};
  }
  Layout& layout() { return layout_; }
  FakeFrame& entry() { return stack_.front(); }
  FakeFrame* leaf() const { return thread_.frame; }
  void set_leaf(FakeFrame* frame) { thread_.frame = frame; }
  void set_base(FakeFrame* frame) { thread_.base = frame; }

 private:
  struct Chunk {
    Chunk* previous = nullptr;
    std::uint64_t size = 0;
    std::uint64_t top = 0;
    std::array<FakeFrame, 64> frames;
  };
  struct Thread {
    std::uint64_t head = 0;
    FakeFrame* frame = nullptr;
    FakeFrame* base = nullptr;
    Chunk* chunk = nullptr;
    FakeFrame* top = nullptr;
  };

  void enter(FakeFrame& frame, const FakeCode& code, std::size_t instruction, std::uint8_t owner) {
    frame.code = reinterpret_cast<std::uintptr_t>(&code);
    frame.previous = thread_.frame == nullptr ? &entry() : thread_.frame;
    frame.instruction = code.instructions + instruction;
    frame.owner = owner;
    thread_.frame = &frame;
  }

  FakeText* text(const std::string& content) {
    FakeText& object = texts_.emplace_back();
    object.length = static_cast<std::int64_t>(content.size());
    object.state = 1U << 2U | 1U << 5U | 1U << 6U;
    std::memcpy(object.data, content.data(), content.size());
    return &object;
  }

  int type_ = 0;
  Layout layout_;
  Thread thread_;
  Chunk chunk_;
  std::array<FakeFrame, 4> stack_;
  std::deque<FakeFrame> generators_;
  std::deque<FakeCode> codes_;
  std::deque<FakeText> texts_;
  std::deque<FakeBytes> tables_;
};

}  // namespace pyrometer::testing
