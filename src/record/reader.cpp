#include "record/reader.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/byte_reader.h"
#include "base/compression.h"
#include "base/crc32c.h"
#include "record/format.h"

namespace pyrometer {
namespace {

constexpr std::size_t kChunk = 256U << 10;

// Ends other than an exit are said before the fact: when an exec fails, or a process outlives
// its interpreter, the recording goes on.
bool is_final(std::string_view end_record) {
  ByteReader in(end_record);
  in.signed_varint();
  return in.u8() == static_cast<std::uint8_t>(EndReason::kExit) || !in.ok();
}

}  // namespace

Result<RecordingReader> RecordingReader::open(Source source) {
  RecordingReader reader(std::move(source));
  reader.fill(kHeaderSize);
  PYROMETER_TRY(reader.header_, decode_header(reader.buffer_));
  reader.begin_ = kHeaderSize;
  reader.position_ = kHeaderSize;
  return reader;
}

Result<RecordingReader> RecordingReader::open(const Path& path) {
  PYROMETER_TRY(FileHandle file, open_for_reading(path));
  // We read in large pieces ourselves; a second buffer would only copy.
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  auto reader =
      open([handle = std::shared_ptr<std::FILE>(std::move(file))](char* into, std::size_t size) {
        return std::fread(into, 1, size, handle.get());
      });
  if (!reader) return fail(reader.error().code, "'{}' {}", path.string(), reader.error().message);
  return reader;
}

Result<RecordingReader> RecordingReader::from_bytes(std::string_view bytes) {
  return open([bytes](char* into, std::size_t size) mutable {
    const std::size_t count = std::min(size, bytes.size());
    std::memcpy(into, bytes.data(), count);
    bytes.remove_prefix(count);
    return count;
  });
}

// Makes `size` unread bytes available if the source has them.
bool RecordingReader::fill(std::size_t size) {
  if (buffer_.size() - begin_ >= size) return true;
  buffer_.erase(0, begin_);
  begin_ = 0;
  // Chunk by chunk, so that a claimed length costs no more memory than the file has bytes.
  while (buffer_.size() < size && !source_ended_) {
    const std::size_t had = buffer_.size();
    buffer_.resize(had + kChunk);
    const std::size_t got = source_(buffer_.data() + had, kChunk);
    source_ended_ = got < kChunk;
    buffer_.resize(had + got);
  }
  return buffer_.size() >= size;
}

std::optional<std::string_view> RecordingReader::plain_payload(std::string_view payload) {
  ByteReader in(payload);
  const std::size_t plain_size = in.u32();
  const std::string_view compressed = in.rest();
  if (!in.ok() || plain_size > kMaxPayload ||
      plain_size > kMaxCompressionRatio * (compressed.size() + 4)) {
    return std::nullopt;
  }
  auto plain = decompress(compressed, plain_size);
  if (!plain) return std::nullopt;
  plain_ = *std::move(plain);
  return plain_;
}

void RecordingReader::set_damaged(std::string why) {
  stopped_ = true;
  bundle_ = {};
  end_ = RecordingEnd::kDamaged;
  damage_ = std::move(why);
}

std::optional<Frame> RecordingReader::next_frame() {
  for (;;) {
    std::optional<Frame> frame = bundle_.empty() ? read_frame() : next_in_bundle();
    if (!frame) return std::nullopt;
    if (frame->type == static_cast<std::uint8_t>(RecordType::kBundle)) {
      bundle_ = frame->payload;
      bundle_sequence_ = frame->sequence;
      continue;
    }
    end_ = RecordingEnd::kKilled;  // unless this is the end
    if (frame->type == static_cast<std::uint8_t>(RecordType::kEnd)) {
      end_ = RecordingEnd::kComplete;
      stopped_ = is_final(frame->payload);
      if (stopped_) bundle_ = {};
    }
    return frame;
  }
}

std::optional<Frame> RecordingReader::next_in_bundle() {
  ByteReader in(bundle_);
  const std::uint8_t type = in.u8();
  const std::string_view payload = in.sized_bytes();
  if (!in.ok() || type == static_cast<std::uint8_t>(RecordType::kBundle)) {
    set_damaged(fmt::format("the records of the frame before byte {} are not whole", position_));
    return std::nullopt;
  }
  bundle_ = in.rest();
  return Frame{type, bundle_sequence_, payload};
}

std::optional<Frame> RecordingReader::read_frame() {
  while (!stopped_) {
    if (!fill(kFrameHeaderSize)) {
      stopped_ = true;
      if (begin_ != buffer_.size()) end_ = RecordingEnd::kTruncated;
      break;
    }
    ByteReader in(std::string_view(buffer_).substr(begin_, kFrameHeaderSize));
    const std::size_t length = in.u32();
    const std::uint8_t type = in.u8();
    const std::uint8_t flags = in.u8();
    in.u16();
    const std::uint32_t sequence = in.u32();
    if (length > kMaxPayload) {
      set_damaged(fmt::format("the frame at byte {} claims {} bytes", position_, length));
      break;
    }
    const std::size_t whole = kFrameHeaderSize + length + kFrameChecksumSize;
    if (!fill(whole)) {
      stopped_ = true;
      end_ = RecordingEnd::kTruncated;
      break;
    }
    const std::string_view frame = std::string_view(buffer_).substr(begin_, whole);
    ByteReader checksum(frame.substr(kFrameHeaderSize + length));
    if (checksum.u32() != crc32c(frame.substr(0, kFrameHeaderSize + length))) {
      set_damaged(fmt::format("the checksum of the frame at byte {} does not match", position_));
      break;
    }
    if (sequence != next_sequence_) {
      set_damaged(fmt::format("frame {} was expected at byte {}, not {}", next_sequence_, position_,
                              sequence));
      break;
    }
    ++next_sequence_;
    begin_ += whole;
    position_ += whole;
    if ((flags & ~kFlagCompressed) != 0) {  // a later version's way of packing
      ++skipped_;
      continue;
    }
    std::optional<std::string_view> payload = frame.substr(kFrameHeaderSize, length);
    if ((flags & kFlagCompressed) != 0) payload = plain_payload(*payload);
    if (!payload) {
      set_damaged(fmt::format("the compressed frame before byte {} cannot be unpacked", position_));
      break;
    }
    return Frame{type, sequence, *payload};
  }
  return std::nullopt;
}

std::optional<Record> RecordingReader::next_record() {
  while (const std::optional<Frame> frame = next_frame()) {
    auto record = decode_record(*frame);
    if (!record) {
      set_damaged(record.error().message);
      return std::nullopt;
    }
    if (*record) return **std::move(record);
    ++skipped_;
  }
  return std::nullopt;
}

}  // namespace pyrometer
