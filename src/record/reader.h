// Reads a recording frame by frame, in memory that does not grow with the file. It
// stops at the first frame that is cut or damaged and says so; what came before is good.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "record/header.h"
#include "record/records.h"

namespace pyrometer {

// How a recording stops.
enum class RecordingEnd {
  kComplete,   // an end record: the program ended in order
  kKilled,     // whole frames, but no end record: killed, or still running
  kTruncated,  // the last frame is cut: killed while writing, or a copy broke off
  kDamaged,    // a frame is not what was written
};

class RecordingReader {
 public:
  // Fills a buffer as fread does; fewer bytes than asked for mean the end.
  using Source = std::function<std::size_t(char* into, std::size_t size)>;

  static Result<RecordingReader> open(Source source);
  static Result<RecordingReader> open(const Path& path);
  // The bytes must outlive the reader.
  static Result<RecordingReader> from_bytes(std::string_view bytes);

  const RecordingHeader& header() const { return header_; }

  // The next frame, valid until the following call; nothing at the end. Each record of a bundle
  // counts as a frame, with the bundle's sequence number.
  std::optional<Frame> next_frame();

  // The next record of a known type, with the same lifetime; nothing at the end. A record
  // that contradicts itself ends the recording as damaged.
  std::optional<Record> next_record();

  // Marks the recording damaged here: for a reader who finds that records make no sense.
  void set_damaged(std::string why);

  // Once there are no more frames: how it ended, and why if damaged.
  RecordingEnd end() const { return end_; }
  const std::string& damage() const { return damage_; }
  std::uint64_t skipped_frames() const { return skipped_; }
  std::uint64_t bytes_read() const { return position_; }

 private:
  explicit RecordingReader(Source source) : source_(std::move(source)) {}
  bool fill(std::size_t size);
  std::optional<std::string_view> plain_payload(std::string_view payload);
  std::optional<Frame> read_frame();
  std::optional<Frame> next_in_bundle();

  Source source_;
  RecordingHeader header_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the unread bytes in buffer_
  bool source_ended_ = false;
  std::uint64_t position_ = 0;  // in the file, of the next frame
  std::string plain_;
  std::string_view bundle_;  // what is left of it
  std::uint32_t bundle_sequence_ = 0;
  std::uint32_t next_sequence_ = 0;
  std::uint64_t skipped_ = 0;
  RecordingEnd end_ = RecordingEnd::kKilled;
  bool stopped_ = false;
  std::string damage_;
};

}  // namespace pyrometer
