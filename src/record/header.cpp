#include "record/header.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/crc32c.h"
#include "record/format.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMaxName = 255;

}  // namespace

std::string encode_header(const RecordingHeader& header) {
  ByteWriter out;
  out.raw(kRecordingMagic);
  out.u32(header.format_version);
  out.u32(kHeaderSize);
  out.u32(static_cast<std::uint32_t>(header.rank));
  out.u32(static_cast<std::uint32_t>(header.world_size));
  out.u32(header.pid);
  out.u32(header.parent_pid);
  out.u64(header.process_start);
  out.u64(static_cast<std::uint64_t>(header.monotonic));
  out.u64(static_cast<std::uint64_t>(header.realtime));
  out.sized_bytes(std::string_view(header.host).substr(0, kMaxName));
  out.sized_bytes(std::string_view(header.launch).substr(0, kMaxName));
  std::string page = out.take();
  page.resize(kHeaderSize - kFrameChecksumSize, '\0');
  ByteWriter checksum;
  checksum.u32(crc32c(page));
  return page + checksum.bytes();
}

bool looks_like_recording(std::string_view prefix) { return prefix.starts_with(kRecordingMagic); }

Result<RecordingHeader> decode_header(std::string_view bytes) {
  if (!looks_like_recording(bytes)) {
    return fail(ErrorCode::kCorrupt, "is not a Pyrometer recording");
  }
  ByteReader in(bytes.substr(kRecordingMagic.size()));
  RecordingHeader header;
  header.format_version = in.u32();
  if (in.ok() && header.format_version > kFormatVersion) {
    return fail(ErrorCode::kUnsupported,
                "has recording format {}, newer than this Pyrometer reads ({}); update Pyrometer",
                header.format_version, kFormatVersion);
  }
  if (bytes.size() < kHeaderSize) {
    return fail(ErrorCode::kCorrupt,
                "is truncated: it ends inside its header, so there is nothing to read");
  }
  const std::string_view page = bytes.substr(0, kHeaderSize - kFrameChecksumSize);
  ByteReader checksum(bytes.substr(page.size()));
  if (header.format_version == 0 || in.u32() != kHeaderSize || checksum.u32() != crc32c(page)) {
    return fail(ErrorCode::kCorrupt, "has a damaged header, so nothing in it can be trusted");
  }
  header.rank = static_cast<std::int32_t>(in.u32());
  header.world_size = static_cast<std::int32_t>(in.u32());
  header.pid = in.u32();
  header.parent_pid = in.u32();
  header.process_start = in.u64();
  header.monotonic = static_cast<std::int64_t>(in.u64());
  header.realtime = static_cast<std::int64_t>(in.u64());
  header.host = in.sized_bytes();
  header.launch = in.sized_bytes();
  if (!in.ok() || header.rank < -1 || header.world_size < 0) {
    return fail(ErrorCode::kCorrupt, "has a damaged header, so nothing in it can be trusted");
  }
  return header;
}

}  // namespace pyrometer
