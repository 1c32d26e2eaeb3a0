// How other tools write a function in one text, and what they leave to be guessed.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/builder.h"

namespace pyrometer {

// A function or a position in one; views into the text it was read from.
struct ForeignFrame {
  std::string_view name;
  std::string_view file;   // empty: unknown
  std::uint32_t line = 0;  // 0: unknown
};

// "name (file:line)" of VizTracer and Firefox, "name (in library)" of perf, "file(line): name" of
// PyTorch; anything else is a name.
ForeignFrame split_frame(std::string_view text);

// "wave.py:52"; a text that does not end with a line gives nothing.
ForeignFrame split_place(std::string_view text);

// "name:file:line" of memray.
ForeignFrame split_location(std::string_view text);

// `first_line` is where the function begins, 0 when the tool does not say. The kind follows from
// the file's name: what comes from a library or from C sources is native, the rest Python.
FunctionId foreign_function(ProfileBuilder& builder, std::string_view name, std::string_view file,
                            std::uint32_t first_line);

}  // namespace pyrometer
