// The content of a pprof file (profile.proto of github.com/google/pprof), without gzip. Rows refer
// to rows: ids of the file are resolved and checked.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

// All texts are views of the bytes that were read.
struct PprofFile {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct ValueType {
    std::string_view type;  // "cpu"
    std::string_view unit;  // "nanoseconds"
  };
  struct Mapping {
    std::string_view file;
    std::string_view build_id;
  };
  struct Function {
    std::string_view name;
    std::string_view file;
    std::int64_t first_line = 0;
  };
  struct Line {
    std::uint32_t function = 0;
    std::int64_t line = 0;
  };
  // A place in the program; several lines where calls were inlined, the innermost first.
  struct Location {
    std::uint32_t mapping = kNone;
    std::uint64_t address = 0;
    std::uint32_t first_line = 0;  // rows of `lines`
    std::uint32_t line_count = 0;
  };
  struct Label {
    std::string_view key;
    std::string_view text;
    std::int64_t number = 0;
  };
  struct Sample {
    std::uint32_t first_location = 0;  // rows of `stacks`, the innermost call first
    std::uint32_t location_count = 0;
    std::uint32_t first_value = 0;  // rows of `values`, one for each type
    std::uint32_t first_label = 0;
    std::uint32_t label_count = 0;
  };

  std::vector<ValueType> types;
  std::vector<Mapping> mappings;
  std::vector<Function> functions;
  std::vector<Line> lines;
  std::vector<Location> locations;
  std::vector<std::uint32_t> stacks;  // rows of `locations`
  std::vector<std::int64_t> values;
  std::vector<Label> labels;
  std::vector<Sample> samples;
  std::int64_t start = 0;     // ns since 1970
  std::int64_t duration = 0;  // ns

  std::span<const std::uint32_t> stack_of(const Sample& sample) const {
    return std::span(stacks).subspan(sample.first_location, sample.location_count);
  }
  std::span<const Line> lines_of(const Location& location) const {
    return std::span(lines).subspan(location.first_line, location.line_count);
  }
  std::span<const Label> labels_of(const Sample& sample) const {
    return std::span(labels).subspan(sample.first_label, sample.label_count);
  }
};

// Memory stays below 40 bytes per byte of the file: every message, number and text of it is kept
// once.
Result<PprofFile> read_pprof(std::string_view bytes);

// Whether bytes that begin like this, after gzip, can be a pprof file: the types of its samples
// come first, or after numbers.
bool looks_like_pprof(std::string_view prefix);

}  // namespace pyrometer
