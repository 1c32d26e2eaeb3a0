#include "cpython/layout.h"

#include <array>
#include <cstring>

namespace pyrometer {
namespace {

Layout layout_of_3_11() {
  return {
      .chain_end = ChainEnd::kEntryFlag,
      .thread = {.frame = 56,
                 .frame_is_behind_cframe = true,
                 .root_cframe = 336,
                 .data_chunk = 296,
                 .data_top = 304},
      .cframe = {.frame = 8, .previous = 16},
      .frame =
          {.code = 32, .previous = 48, .instruction = 56, .owner = 69, .is_entry = 68, .size = 80},
      .code = {.file = 112,
               .name = 120,
               .qualified_name = 128,
               .line_table = 136,
               .first_line = 72,
               .instructions = 184,
               .stack_size = 68,
               .local_count = 76},
      .text = {.state = 32, .length = 16, .ascii_data = 48, .compact_data = 72},
      .bytes = {.size = 16, .data = 32}};
}

Layout layout_of_3_12() {
  return {.chain_end = ChainEnd::kEntryFrame,
          .thread = {.frame = 56,
                     .frame_is_behind_cframe = true,
                     .root_cframe = 272,
                     .data_chunk = 232,
                     .data_top = 240},
          .cframe = {.frame = 0, .previous = 8},
          .frame = {.code = 0, .previous = 8, .instruction = 56, .owner = 70, .size = 80},
          .code = {.file = 112,
                   .name = 120,
                   .qualified_name = 128,
                   .line_table = 136,
                   .first_line = 68,
                   .instructions = 192,
                   .stack_size = 64,
                   .local_count = 72},
          .text = {.state = 32, .length = 16, .ascii_data = 40, .compact_data = 56},
          .bytes = {.size = 16, .data = 32}};
}

// _Py_DebugOffsets begins with a cookie, a version and a flag, but does not name its fields:
// later versions inserted some. The word of each field we need, per version.
struct DebugOffsetsRow {
  std::uint32_t minor;
  std::size_t thread_frame, thread_base_frame, thread_data_chunk;
  std::size_t frame_size, frame_previous, frame_code, frame_instruction, frame_owner;
  std::size_t code_file, code_instructions, text_state, bytes_size;
  std::uintptr_t code_tag_bits;
};
constexpr DebugOffsetsRow kDebugOffsets[] = {
    {13, 23, 0, 26, 28, 29, 30, 31, 33, 35, 43, 68, 65, 0},
    {14, 26, 0, 29, 31, 32, 33, 34, 36, 40, 48, 78, 75, 3},
    {15, 26, 27, 32, 39, 40, 41, 42, 44, 48, 56, 90, 87, 3},
};
constexpr std::size_t kWordsRead = 96;
constexpr std::uint64_t kLargestOffset = 4096;

Result<Layout> layout_from_debug_offsets(const DebugOffsetsRow& row, std::uint32_t version,
                                         std::span<const char> runtime) {
  std::array<std::uint64_t, kWordsRead> words{};
  if (runtime.size() < sizeof(words) || std::memcmp(runtime.data(), "xdebugpy", 8) != 0) {
    return fail(ErrorCode::kUnsupported, "its _PyRuntime does not begin as expected");
  }
  std::memcpy(words.data(), runtime.data(), sizeof(words));
  if (words[1] != version) {
    return fail(ErrorCode::kUnsupported, "it describes itself as version {:#x}, not {:#x}",
                words[1], version);
  }
  if (words[2] != 0) {
    return fail(ErrorCode::kUnsupported, "free-threaded builds are not supported yet");
  }
  bool in_bounds = true;
  const auto at = [&](std::size_t index) {
    in_bounds = in_bounds && words[index] < kLargestOffset;
    return static_cast<Offset>(words[index]);
  };
  Layout layout;
  layout.chain_end = row.thread_base_frame != 0 ? ChainEnd::kBaseFrame : ChainEnd::kEntryFrame;
  layout.thread.frame = at(row.thread_frame);
  if (row.thread_base_frame != 0) layout.thread.base_frame = at(row.thread_base_frame);
  layout.thread.data_chunk = at(row.thread_data_chunk);
  layout.thread.data_top = layout.thread.data_chunk + 8;  // not published; follows the chunk
  layout.frame = {.code = at(row.frame_code),
                  .previous = at(row.frame_previous),
                  .instruction = at(row.frame_instruction),
                  .owner = at(row.frame_owner),
                  .size = at(row.frame_size),
                  .code_tag_bits = row.code_tag_bits};
  layout.code = {.file = at(row.code_file),
                 .name = at(row.code_file + 1),
                 .qualified_name = at(row.code_file + 2),
                 .line_table = at(row.code_file + 3),
                 .first_line = at(row.code_file + 4),
                 .instructions = at(row.code_instructions)};
  layout.text = {.state = at(row.text_state),
                 .length = at(row.text_state + 1),
                 .ascii_data = at(row.text_state + 2),
                 .compact_data = at(row.text_state + 2) + 16};
  layout.bytes = {.size = at(row.bytes_size), .data = at(row.bytes_size + 1)};
  if (!in_bounds) {
    return fail(ErrorCode::kUnsupported, "it describes itself with impossible offsets");
  }
  return layout;
}

}  // namespace

Result<Layout> layout_for(std::uint32_t version, std::span<const char> runtime) {
  const std::uint32_t major = version >> 24U;
  const std::uint32_t minor = (version >> 16U) & 0xffU;
  if (major == 3 && minor == 11) return layout_of_3_11();
  if (major == 3 && minor == 12) return layout_of_3_12();
  for (const DebugOffsetsRow& row : kDebugOffsets) {
    if (major == 3 && row.minor == minor) return layout_from_debug_offsets(row, version, runtime);
  }
  return fail(ErrorCode::kUnsupported,
              "Python {}.{} is not known to this Pyrometer (3.11 to 3.15 are)", major, minor);
}

}  // namespace pyrometer
