#include "record/writer.h"

#include "base/check.h"
#include "base/crc32c.h"

namespace pyrometer {
namespace {

// A second of samples is a few kilobytes: pressing them hard takes under a millisecond. What is
// large comes at the end of a program, which should not wait for it, and what is written first may
// be all there is of a short one.
constexpr int kHard = 9, kQuick = 3, kQuickest = 1;
constexpr std::size_t kLarge = 64 << 10;
constexpr std::size_t kFirst = 256 << 10;
constexpr std::size_t kLargeRecord = 64U << 10;   // compresses well alone
constexpr std::size_t kLargeBundle = 256U << 10;  // a reader unpacks it into memory

template <class Enum>
void enumerator(ByteWriter& out, Enum value) {
  out.u8(static_cast<std::uint8_t>(value));
}

void scale(ByteWriter& out, std::int64_t value) { out.varint(static_cast<std::uint64_t>(value)); }

void batch_metrics(ByteWriter& out, const std::vector<BatchMetric>& metrics) {
  out.varint(metrics.size());
  for (const BatchMetric& metric : metrics) {
    out.varint(metric.metric);
    scale(out, metric.scale);
  }
}

// A frame has its limits, whatever a program calls its threads and regions: what is longer is cut,
// between two characters.
constexpr std::size_t kLongestText = 1U << 20;
constexpr std::size_t kLongestSource = 32U << 20;

std::string_view cut(std::string_view text, std::size_t most = kLongestText) {
  if (text.size() <= most) return text;
  constexpr unsigned kContinues = 0x80, kMask = 0xc0;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & kMask) == kContinues) --most;
  return text.substr(0, most);
}

void rows_of(ByteWriter& out, const RowWriter& rows) {
  out.varint(rows.count());
  out.raw(rows.bytes());
}

}  // namespace

std::uint32_t RecordingWriter::add_string(std::string_view text) {
  record(RecordType::kString, cut(text));
  return strings_++;
}

std::uint32_t RecordingWriter::add_module(std::uint32_t path, std::string_view build_id,
                                          std::uint64_t load_base, std::uint64_t size) {
  ByteWriter out;
  out.varint(path);
  out.sized_bytes(build_id);
  out.varint(load_base);
  out.varint(size);
  record(RecordType::kModule, out);
  return modules_++;
}

std::uint32_t RecordingWriter::add_code(const Code& code, const RowWriter& line_table) {
  ByteWriter out;
  enumerator(out, code.kind);
  out.varint(code.name);
  out.varint(code.qualified_name);
  out.varint(code.file);
  out.varint(code.first_line);
  out.varint(code.first_column);
  rows_of(out, line_table);
  record(RecordType::kCode, out);
  return codes_++;
}

std::uint32_t RecordingWriter::add_metric(std::string_view name, Unit unit, Combine combine) {
  ByteWriter out;
  out.sized_bytes(name);
  enumerator(out, unit);
  enumerator(out, combine);
  record(RecordType::kMetric, out);
  return metrics_++;
}

std::uint32_t RecordingWriter::add_wait_object(const WaitObjectRecord& object) {
  ByteWriter out;
  enumerator(out, object.kind);
  out.varint(object.name);
  out.varint(object.identity);
  out.varint(object.made_at);
  record(RecordType::kWaitObject, out);
  return wait_objects_++;
}

std::uint32_t RecordingWriter::add_counter(std::uint32_t name, Unit unit) {
  ByteWriter out;
  out.varint(name);
  enumerator(out, unit);
  record(RecordType::kCounter, out);
  return counters_++;
}

void RecordingWriter::source(std::uint32_t file, SourceKind kind, std::string_view content) {
  ByteWriter out;
  out.varint(file);
  enumerator(out, kind);
  out.raw(cut(content, kLongestSource));
  record(RecordType::kSource, out);
}

void RecordingWriter::thread(const ThreadRecord& thread) {
  ByteWriter out;
  out.varint(thread.id);
  out.varint(thread.tid);
  enumerator(out, thread.thread_class);
  out.varint(thread.name);
  out.signed_varint(thread.start);
  out.signed_varint(thread.end);
  record(RecordType::kThread, out);
}

void RecordingWriter::nodes(const RowWriter& rows) {
  ByteWriter out;
  rows_of(out, rows);
  record(RecordType::kNodes, out);
}

void RecordingWriter::samples(std::uint32_t thread, std::int64_t time_scale,
                              const std::vector<BatchMetric>& metrics, const RowWriter& rows) {
  ByteWriter out;
  out.varint(thread);
  scale(out, time_scale);
  batch_metrics(out, metrics);
  rows_of(out, rows);
  record(RecordType::kSamples, out);
}

void RecordingWriter::checkpoint(std::int64_t time, std::uint32_t thread, CheckpointSubject subject,
                                 const std::vector<BatchMetric>& metrics, const RowWriter& rows) {
  ByteWriter out;
  out.signed_varint(time);
  out.varint(thread);
  enumerator(out, subject);
  batch_metrics(out, metrics);
  rows_of(out, rows);
  record(RecordType::kCheckpoint, out);
}

void RecordingWriter::events(RecordType type, std::uint32_t owner, std::int64_t time_scale,
                             const RowWriter& rows) {
  ByteWriter out;
  out.varint(owner);
  scale(out, time_scale);
  rows_of(out, rows);
  record(type, out);
}

void RecordingWriter::live(std::uint32_t thread, std::int64_t time, const RowWriter& rows) {
  ByteWriter out;
  out.varint(thread);
  out.signed_varint(time);
  rows_of(out, rows);
  record(RecordType::kLive, out);
}

void RecordingWriter::message(std::int64_t time, MessageLevel level, std::string_view text) {
  ByteWriter out;
  out.signed_varint(time);
  enumerator(out, level);
  out.raw(cut(text));
  record(RecordType::kMessage, out);
}

void RecordingWriter::attribute(std::string_view key, std::string_view value) {
  ByteWriter out;
  out.sized_bytes(cut(key));
  out.sized_bytes(cut(value));
  record(RecordType::kAttribute, out);
}

void RecordingWriter::end(const EndRecord& end) {
  ByteWriter out;
  out.signed_varint(end.time);
  enumerator(out, end.reason);
  out.signed_varint(end.status);
  record(RecordType::kEnd, out);
}

std::string RecordingWriter::take_pending() {
  close_bundle();
  return std::exchange(pending_, {});
}

void RecordingWriter::record(RecordType type, std::string_view payload) {
  const bool shares_frame = compress_from_ != SIZE_MAX && payload.size() < kLargeRecord;
  if (!shares_frame) {
    close_bundle();
    frame(static_cast<std::uint8_t>(type), payload);
    return;
  }
  enumerator(bundle_, type);
  bundle_.sized_bytes(payload);
  if (bundle_.bytes().size() >= kLargeBundle) close_bundle();
}

void RecordingWriter::close_bundle() {
  if (bundle_.bytes().empty()) return;
  const ByteWriter bundle = std::exchange(bundle_, {});
  frame(static_cast<std::uint8_t>(RecordType::kBundle), bundle.bytes());
}

int RecordingWriter::level_for(std::size_t size) const {
  if (framed_ < kFirst) return kQuickest;
  return size < kLarge ? kHard : kQuick;
}

void RecordingWriter::frame(std::uint8_t type, std::string_view payload) {
  PYROMETER_CHECK(payload.size() <= kMaxPayload);
  std::string compressed;
  std::uint8_t flags = 0;
  if (payload.size() >= compress_from_) {
    ByteWriter plain_size;
    plain_size.u32(static_cast<std::uint32_t>(payload.size()));
    compressed = plain_size.bytes() + compressor_.compress(payload, level_for(payload.size()));
    const bool within_ratio = payload.size() <= kMaxCompressionRatio * compressed.size();
    if (compressed.size() < payload.size() && within_ratio) {
      payload = compressed;
      flags = kFlagCompressed;
    }
  }
  ByteWriter header;
  header.u32(static_cast<std::uint32_t>(payload.size()));
  header.u8(type);
  header.u8(flags);
  header.u16(0);
  header.u32(sequence_++);
  ByteWriter checksum;
  checksum.u32(crc32c(payload, crc32c(header.bytes())));
  pending_ += header.bytes();
  pending_ += payload;
  pending_ += checksum.bytes();
  framed_ += payload.size();
}

}  // namespace pyrometer
