// Encodes records into frames and hands them over in one piece per flush: what a sink
// received survives whatever happens to the process afterwards. Not thread-safe; the
// collector's flush thread owns it. Texts of any length may be given; very long ones are cut.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "base/compression.h"
#include "record/columns.h"
#include "record/header.h"
#include "record/records.h"

namespace pyrometer {

class RecordingWriter {
 public:
  // The header page goes out with the first flush.
  explicit RecordingWriter(const RecordingHeader& header) : pending_(encode_header(header)) {}

  // Frames of at least this size are compressed where that makes them smaller. The records
  // between two flushes then share frames, as many small ones hardly get smaller alone.
  void compress_from(std::size_t size) { compress_from_ = size; }

  // Definitions return the id by which later records name them.
  std::uint32_t add_string(std::string_view text);
  std::uint32_t add_module(std::uint32_t path, std::string_view build_id, std::uint64_t load_base,
                           std::uint64_t size);
  struct Code {
    FunctionKind kind = FunctionKind::kPython;
    std::uint32_t name = 0, qualified_name = 0, file = 0, first_line = 0, first_column = 0;
  };
  std::uint32_t add_code(const Code& code, const RowWriter& line_table);
  std::uint32_t add_code(const Code& code) {
    return add_code(code, RowWriter(line_table_columns()));
  }
  std::uint32_t add_metric(std::string_view name, Unit unit, Combine combine);
  std::uint32_t add_wait_object(const WaitObjectRecord& object);
  std::uint32_t add_counter(std::uint32_t name, Unit unit);

  void source(std::uint32_t file, SourceKind kind, std::string_view content);
  void thread(const ThreadRecord& thread);
  void nodes(const RowWriter& rows);
  // `time_scale` and `metrics` must be those the rows' columns were made with.
  void samples(std::uint32_t thread, std::int64_t time_scale,
               const std::vector<BatchMetric>& metrics, const RowWriter& rows);
  void checkpoint(std::int64_t time, std::uint32_t thread, CheckpointSubject subject,
                  const std::vector<BatchMetric>& metrics, const RowWriter& rows);
  // Calls, allocations, waits, MPI calls, regions (owner: thread) or counter values (owner:
  // counter).
  void events(RecordType type, std::uint32_t owner, std::int64_t time_scale, const RowWriter& rows);
  void live(std::uint32_t thread, std::int64_t time, const RowWriter& rows);
  void message(std::int64_t time, MessageLevel level, std::string_view text);
  void attribute(std::string_view key, std::string_view value);
  void end(const EndRecord& end);

  // A frame of any type and payload: for tests of what this version does not know.
  void frame(std::uint8_t type, std::string_view payload);

  // What was written since the last take_pending(), to be handed on as one piece.
  std::string take_pending();

 private:
  void record(RecordType type, std::string_view payload);
  void record(RecordType type, const ByteWriter& payload) { record(type, payload.bytes()); }
  void close_bundle();
  int level_for(std::size_t size) const;  // of compression

  std::string pending_;
  ByteWriter bundle_;  // records that wait for their common frame
  std::size_t compress_from_ = SIZE_MAX;
  Compressor compressor_;
  std::size_t framed_ = 0;  // bytes of all frames
  std::uint32_t sequence_ = 0;
  std::uint32_t strings_ = 0, modules_ = 0, codes_ = 0, metrics_ = 0, wait_objects_ = 0,
                counters_ = 0;
};

}  // namespace pyrometer
