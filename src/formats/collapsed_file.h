// Collapsed stacks, the text that flame graph tools exchange: a line per call path or per sample,
//     frame;frame;frame value
// with the root first; py-spy also writes " 3" for threads without frames. austin begins with lines
// "# key: value", and in its full mode ends each line with "time,idle,memory". What the texts of
// frames mean is collapsed_frame.h's.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct CollapsedFile {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  // A path of frames; its parent has a smaller row.
  struct Node {
    std::uint32_t parent = kNone;
    std::uint32_t frame = 0;           // a row of `frames`
    std::uint32_t values = kNone;      // a row of `values`: some line ends here
    std::uint32_t last_child = kNone;  // where the last line that came by went on
  };
  // The sums over the lines that end at one node.
  struct Values {
    std::int64_t lines = 0;
    std::int64_t value = 0;      // of the last number, or of the time in full mode
    std::int64_t negative = 0;   // those of `value` that were below zero, as a positive number
    std::int64_t busy = 0;       // full mode: the time that was not idle
    std::int64_t allocated = 0;  // full mode: bytes
    std::int64_t freed = 0;
  };

  std::deque<std::string> frames;  // each distinct text once
  std::vector<Node> nodes;
  std::vector<Values> values;
  std::vector<std::pair<std::string, std::string>> metadata;  // "# key: value"
  bool has_full_metrics = false;
  std::uint64_t lines = 0;
  std::uint64_t skipped_lines = 0;       // that are no stacks
  std::uint64_t first_skipped_line = 0;  // from 1

  // Empty when there is no such line.
  std::string_view metadata_of(std::string_view key) const;
};

// Reads the text in pieces of any size, so that memory is bounded by the number of distinct frames
// and paths, whatever the size of the file: 1 Mi frames of 256 MiB in all, 16 Mi paths, 16 MiB for
// a line.
class CollapsedReader {
 public:
  Result<void> add(std::string_view piece);
  // What was read; an error when no line was a stack.
  Result<CollapsedFile> finish();

 private:
  struct HashText {
    std::size_t operator()(std::string_view text) const noexcept;
  };
  // A frame of the line before, by where its text ends.
  struct Step {
    std::size_t end = 0;
    std::uint32_t node = 0;
  };

  Result<void> add_line(std::string_view line);
  void add_metadata(std::string_view line);
  void walk_to(std::string_view stack);
  std::uint32_t frame_of(std::string_view text);
  std::uint32_t child_of(std::uint32_t parent, std::uint32_t frame);
  Result<void> check_limits() const;

  CollapsedFile file_;
  boost::unordered_flat_map<std::string_view, std::uint32_t, HashText> frames_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> children_;  // by parent and frame
  std::uint32_t last_root_ = CollapsedFile::kNone;
  std::size_t frame_text_ = 0;
  std::string cut_line_;  // the beginning of a line that goes on in the next piece
  std::string previous_;  // the stack of the line before, and where it led
  std::vector<Step> path_;
};

// Whether a file that begins like this can be collapsed stacks: every whole line of it must be one.
bool looks_like_collapsed(std::string_view prefix);

}  // namespace pyrometer
