// The numbers of the recording format. docs/recording-format.md is the specification
// in prose; both change together, and only by adding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pyrometer {

// Like PNG's: a text-mode transfer or a 7-bit channel damages it visibly.
inline constexpr std::string_view kRecordingMagic{"\x89PYR\r\n\x1a\n", 8};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kHeaderSize = 4096;

inline constexpr std::size_t kFrameHeaderSize = 12;  // length, type, flags, reserved, sequence
inline constexpr std::size_t kFrameChecksumSize = 4;
inline constexpr std::size_t kMaxPayload = 64U << 20;  // also after decompression
inline constexpr std::uint64_t kMaxCompressionRatio = 200;
inline constexpr std::uint8_t kFlagCompressed = 1;  // payload: u32 plain size, then one zstd frame

// What one recording may define. Real ones stay far below; a hostile one is stopped here.
inline constexpr std::size_t kMaxMetrics = 256;
inline constexpr std::uint64_t kMaxNodesTimesMetrics = 1U << 26;

enum class RecordType : std::uint8_t {
  kString = 1,
  kModule = 2,
  kCode = 3,
  kSource = 4,
  kThread = 5,
  kMetric = 6,
  kNodes = 7,
  kSamples = 8,
  kCheckpoint = 9,
  kCalls = 10,
  kAllocations = 11,
  kWaitObject = 12,
  kWaits = 13,
  kRegions = 14,
  kCounter = 15,
  kCounterValues = 16,
  kMessage = 17,
  kAttribute = 18,
  kEnd = 19,
  kBundle = 20,  // of records; only frames have this type
  kMpiCalls = 21,
  kLive = 22,
  kOpenRegions = 23,
};

}  // namespace pyrometer
