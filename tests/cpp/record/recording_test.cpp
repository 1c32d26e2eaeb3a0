#include <gtest/gtest.h>

#include <algorithm>

#include "base/compression.h"
#include "base/crc32c.h"
#include "record/reader.h"
#include "record/writer.h"
#include "support/small_recording.h"

namespace pyrometer {
namespace {

using testing::SmallRecording;

// Reads everything; returns how it ended and how many records there were.
struct Outcome {
  RecordingEnd end;
  std::size_t records = 0;
  std::string damage;
};

Outcome read_all(std::string_view bytes) {
  auto reader = RecordingReader::from_bytes(bytes);
  EXPECT_TRUE(reader);
  std::size_t records = 0;
  while (reader->next_record()) ++records;
  return {reader->end(), records, reader->damage()};
}

// The offsets at which whole frames end, after the header.
std::vector<std::size_t> frame_ends(const std::string& bytes) {
  std::vector<std::size_t> ends{kHeaderSize};
  auto reader = RecordingReader::from_bytes(bytes).value();
  while (reader.next_frame()) ends.push_back(reader.bytes_read());
  return ends;
}

TEST(Recording, HeaderRoundTrip) {
  const RecordingHeader header{.rank = 12,
                               .world_size = 32,
                               .pid = 4711,
                               .parent_pid = 1,
                               .process_start = 77,
                               .monotonic = -5,
                               .realtime = 1'700'000'000'000'000'000,
                               .host = "node-07",
                               .launch = "slurm:1.2"};
  const std::string page = encode_header(header);
  EXPECT_EQ(page.size(), kHeaderSize);
  EXPECT_EQ(decode_header(page).value(), header);
}

TEST(Recording, LongNamesInTheHeaderAreCut) {
  const std::string page = encode_header({.host = std::string(5000, 'h')});
  EXPECT_EQ(decode_header(page).value().host.size(), 255U);
}

TEST(Recording, NewerFormatIsRefusedWithTheRemedy) {
  const auto refused = decode_header(encode_header({.format_version = 99}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message.find("update"), std::string::npos);
}

TEST(Recording, DamagedHeaderIsRefused) {
  std::string page = encode_header({.host = "node"});
  for (std::size_t i = 0; i < page.size(); i += 37) {
    page[i] = static_cast<char>(page[i] ^ 1);
    EXPECT_FALSE(decode_header(page)) << i;
    page[i] = static_cast<char>(page[i] ^ 1);
  }
  EXPECT_TRUE(decode_header(page));
}

TEST(Recording, WholeRecordingIsComplete) {
  const Outcome outcome = read_all(SmallRecording().whole());
  EXPECT_EQ(outcome.end, RecordingEnd::kComplete);
  EXPECT_EQ(outcome.records, 16U);
}

TEST(Recording, CutAnywhereReadsWhatCameBefore) {
  const std::string whole = SmallRecording().whole();
  const std::vector<std::size_t> ends = frame_ends(whole);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const std::string_view bytes = std::string_view(whole).substr(0, cut);
    auto reader = RecordingReader::from_bytes(bytes);
    if (cut < kHeaderSize) {
      ASSERT_FALSE(reader) << cut;
      continue;
    }
    ASSERT_TRUE(reader) << cut;
    std::size_t frames = 0;
    while (reader->next_frame()) ++frames;
    const auto whole_frames = static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin() - 1);
    EXPECT_EQ(frames, whole_frames) << cut;
    const bool at_boundary = std::binary_search(ends.begin(), ends.end(), cut);
    EXPECT_EQ(reader->end(), at_boundary ? RecordingEnd::kKilled : RecordingEnd::kTruncated) << cut;
  }
}

TEST(Recording, AFlippedBitIsDamageAtThatFrame) {
  std::string whole = SmallRecording().whole();
  const std::vector<std::size_t> ends = frame_ends(whole);
  for (std::size_t i = kHeaderSize; i < whole.size(); ++i) {
    whole[i] = static_cast<char>(whole[i] ^ 0x10);
    auto reader = RecordingReader::from_bytes(whole).value();
    std::size_t frames = 0;
    while (reader.next_frame()) ++frames;
    const auto sound_frames =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin() - 1);
    EXPECT_EQ(frames, sound_frames) << i;
    // A length that grew beyond the file looks like a cut.
    EXPECT_NE(reader.end(), RecordingEnd::kComplete) << i;
    EXPECT_NE(reader.end(), RecordingEnd::kKilled) << i;
    whole[i] = static_cast<char>(whole[i] ^ 0x10);
  }
}

TEST(Recording, FramesFromAnotherWriterAreDamage) {
  // As when a forked child went on writing into its parent's file.
  SmallRecording first;
  first.definitions();
  RecordingWriter second({.host = "other"});
  second.add_string("again number 0");
  const std::string bytes = first.writer.take_pending() + second.take_pending().substr(kHeaderSize);
  const Outcome outcome = read_all(bytes);
  EXPECT_EQ(outcome.end, RecordingEnd::kDamaged);
  EXPECT_NE(outcome.damage.find("expected"), std::string::npos);
}

TEST(Recording, UnknownTypesAreSkipped) {
  RecordingWriter writer({.host = "node"});
  writer.add_string("before");
  writer.frame(200, "from the future");
  writer.add_string("after");
  writer.end({});
  const std::string bytes = writer.take_pending();
  auto reader = RecordingReader::from_bytes(bytes).value();
  std::vector<std::string> texts;
  while (auto record = reader.next_record()) {
    if (const auto* text = std::get_if<StringRecord>(&*record)) texts.emplace_back(text->text);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"before", "after"}));
  EXPECT_EQ(reader.skipped_frames(), 1U);
  EXPECT_EQ(reader.end(), RecordingEnd::kComplete);
}

TEST(Recording, CompressedFramesReadTheSame) {
  const std::string long_text(50'000, 'x');
  const auto read_text = [&](std::size_t compress_from) {
    RecordingWriter writer({.host = "node"});
    writer.compress_from(compress_from);
    writer.add_string(long_text + long_text.substr(0, 7));
    writer.add_string("short");
    const std::string bytes = writer.take_pending();
    auto reader = RecordingReader::from_bytes(bytes).value();
    std::string text;
    while (auto record = reader.next_record()) text += std::get<StringRecord>(*record).text;
    return std::pair(text, bytes.size());
  };
  const auto [plain_text, plain_size] = read_text(SIZE_MAX);
  const auto [packed_text, packed_size] = read_text(10'000);
  EXPECT_EQ(plain_text, packed_text);
  EXPECT_LE(packed_size, plain_size);
}

TEST(Recording, SmallRecordsShareACompressedFrame) {
  RecordingWriter writer({.host = "node"});
  writer.compress_from(10);
  for (int i = 0; i < 100; ++i)
    writer.add_string("name of a function, number " + std::to_string(i));
  writer.end({});
  const std::string bytes = writer.take_pending();
  EXPECT_LT(bytes.size(), kHeaderSize + 1000);
  auto reader = RecordingReader::from_bytes(bytes).value();
  std::vector<std::string> texts;
  while (const auto frame = reader.next_frame()) {
    EXPECT_EQ(frame->sequence, 0U);
    if (frame->type == 1) texts.emplace_back(frame->payload);
  }
  ASSERT_EQ(texts.size(), 100U);
  EXPECT_EQ(texts[99], "name of a function, number 99");
  EXPECT_EQ(reader.end(), RecordingEnd::kComplete);
}

TEST(Recording, LargeRecordsKeepTheirPlaceAmongSmallOnes) {
  RecordingWriter writer({.host = "node"});
  writer.compress_from(10);
  const std::string large(100'000, 'x');
  for (const std::string& text : {std::string("a"), large, std::string("b")}) {
    writer.add_string(text);
  }
  const std::string bytes = writer.take_pending();
  auto reader = RecordingReader::from_bytes(bytes).value();
  std::vector<std::size_t> sizes;
  while (const auto frame = reader.next_frame()) sizes.push_back(frame->payload.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, large.size(), 1}));
}

// A frame made by hand, to lie in ways the writer cannot.
std::string sealed_frame(std::uint8_t type, std::uint8_t flags, std::string_view payload) {
  ByteWriter frame;
  frame.u32(static_cast<std::uint32_t>(payload.size()));
  frame.u8(type);
  frame.u8(flags);
  frame.u16(0);
  frame.u32(0);
  frame.raw(payload);
  const std::uint32_t checksum = crc32c(frame.bytes());
  frame.u32(checksum);
  return frame.take();
}

TEST(Recording, ABundleThatIsNotWholeIsDamage) {
  const auto bundle = static_cast<std::uint8_t>(RecordType::kBundle);
  const std::string good(
      "\x01\x03"
      "abc",
      5);
  for (const std::string& bad :
       {std::string("\x01\x7f"
                    "abc"),
        std::string("\x01"), std::string(1, static_cast<char>(bundle)) + std::string(1, '\0')}) {
    const Outcome outcome =
        read_all(encode_header({.host = "node"}) + sealed_frame(bundle, 0, good + bad));
    EXPECT_EQ(outcome.end, RecordingEnd::kDamaged);
    EXPECT_EQ(outcome.records, 1U);
    EXPECT_NE(outcome.damage.find("not whole"), std::string::npos) << outcome.damage;
  }
}

TEST(Recording, AFrameThatClaimsTooMuchIsDamageWithoutMemory) {
  ByteWriter frame;
  frame.u32(0xfffffff0U);
  frame.u8(1);
  frame.u8(0);
  frame.u16(0);
  frame.u32(0);
  const Outcome outcome = read_all(encode_header({.host = "node"}) + frame.bytes() + "abc");
  EXPECT_EQ(outcome.end, RecordingEnd::kDamaged);
  EXPECT_NE(outcome.damage.find("claims"), std::string::npos);
}

TEST(Recording, ACountLargerThanThePayloadIsDamage) {
  ByteWriter payload;  // nodes: 2^40 rows in no bytes
  payload.varint(1ULL << 40);
  RecordingWriter writer({.host = "node"});
  writer.frame(static_cast<std::uint8_t>(RecordType::kNodes), payload.bytes());
  const Outcome outcome = read_all(writer.take_pending());
  EXPECT_EQ(outcome.end, RecordingEnd::kDamaged);
  EXPECT_EQ(outcome.records, 0U);
}

TEST(Recording, ACompressionBombIsDamage) {
  ByteWriter bomb;
  bomb.u32(60U << 20);
  bomb.raw(compress(std::string(60U << 20, '\0')));
  EXPECT_LT(bomb.size(), 10'000U);
  const std::string bytes =
      encode_header({.host = "node"}) + sealed_frame(1, kFlagCompressed, bomb.bytes());
  const Outcome outcome = read_all(bytes);
  EXPECT_EQ(outcome.end, RecordingEnd::kDamaged);
  EXPECT_EQ(outcome.records, 0U);
}

TEST(Recording, WhatCompressesTooWellIsStoredPlain) {
  RecordingWriter writer({.host = "node"});
  writer.compress_from(100);
  writer.add_string(std::string(1U << 20, '\0'));
  EXPECT_EQ(read_all(writer.take_pending()).records, 1U);
}

TEST(Recording, TextsOfAnyLengthFitIntoFrames) {
  std::string text = "x";
  while (text.size() <= kMaxPayload) text += "\u00e9";
  RecordingWriter writer({.host = "node"});
  writer.add_string(text);
  writer.source(0, SourceKind::kText, text);
  writer.message(1, MessageLevel::kInfo, text);
  writer.attribute(text, text);
  const std::string bytes = writer.take_pending();
  EXPECT_EQ(read_all(bytes).records, 4U);
  auto reader = RecordingReader::from_bytes(bytes).value();
  const std::string kept(std::get<StringRecord>(*reader.next_record()).text);
  EXPECT_EQ(kept.size(), (1U << 20) - 1);  // not in the middle of a character
  EXPECT_TRUE(text.starts_with(kept));
}

TEST(Recording, UnknownFlagsAreSkipped) {
  const std::string bytes = encode_header({.host = "node"}) + sealed_frame(1, 0x80, "packed anew");
  auto reader = RecordingReader::from_bytes(bytes).value();
  EXPECT_FALSE(reader.next_frame());
  EXPECT_EQ(reader.skipped_frames(), 1U);
  EXPECT_EQ(reader.end(), RecordingEnd::kKilled);
}

TEST(Recording, NothingAfterTheEndRecordIsRead) {
  RecordingWriter writer({.host = "node"});
  writer.end({});
  writer.add_string("ghost");
  const Outcome outcome = read_all(writer.take_pending());
  EXPECT_EQ(outcome.end, RecordingEnd::kComplete);
  EXPECT_EQ(outcome.records, 1U);
}

TEST(Recording, AMetricThatRepeatsAnotherTakesNoRoom) {
  RecordingWriter writer(RecordingHeader{});
  const std::vector<BatchMetric> metrics = {{0, 10}, {1, BatchMetric::kSameAsBefore}, {2, 1}};
  RowWriter rows(sample_columns(1, metrics));
  rows.row({5, 0, 70, 70, 3});
  rows.row({6, 0, -20, -20, 4});
  EXPECT_EQ(rows.bytes().size(), 8);
  writer.samples(0, 1, metrics, rows);
  const std::string bytes = writer.take_pending();
  auto reader = RecordingReader::from_bytes(bytes).value();
  auto record = std::get<SamplesRecord>(reader.next_record().value());
  ASSERT_TRUE(record.rows.next());
  EXPECT_EQ(record.rows[3], 70);
  ASSERT_TRUE(record.rows.next());
  EXPECT_EQ(record.rows[2], -20);
  EXPECT_EQ(record.rows[3], -20);
  EXPECT_EQ(record.rows[4], 4);
}

TEST(Recording, TheFirstMetricHasNoneToRepeat) {
  RecordingWriter writer(RecordingHeader{});
  const std::vector<BatchMetric> metrics = {{0, BatchMetric::kSameAsBefore}};
  writer.samples(0, 1, metrics, RowWriter(sample_columns(1, metrics)));
  const std::string bytes = writer.take_pending();
  auto reader = RecordingReader::from_bytes(bytes).value();
  EXPECT_FALSE(reader.next_record());
  EXPECT_EQ(reader.end(), RecordingEnd::kDamaged);
}

}  // namespace
}  // namespace pyrometer
