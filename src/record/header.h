// The first 4096 bytes of a recording: who recorded, where and when. Written once,
// before anything else, and protected by its own checksum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

struct RecordingHeader {
  std::uint32_t format_version = 1;
  std::int32_t rank = -1;       // -1: not started by a parallel launcher
  std::int32_t world_size = 0;  // 0: unknown
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::uint64_t process_start = 0;  // ns since boot, tells a pid from its reuse
  std::int64_t monotonic = 0;       // one moment read on both clocks, in ns
  std::int64_t realtime = 0;
  std::string host;
  std::string launch;  // identity of the launch, equal in all its processes
  friend bool operator==(const RecordingHeader&, const RecordingHeader&) = default;
};

// Exactly kHeaderSize bytes; host and launch are cut at 255 bytes.
std::string encode_header(const RecordingHeader& header);
Result<RecordingHeader> decode_header(std::string_view bytes);

bool looks_like_recording(std::string_view prefix);

}  // namespace pyrometer
