// What threads copy, as the library before memcpy would tell of it, and what is recorded of that.
#include "collect/copy_recording.h"

#include <gtest/gtest.h>

#include <thread>

#include "load/recording.h"
#include "os/clocks.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kBig = PYROMETER_BIG_COPY;

// In the place of the libraries.
const pyrometer_copies_agent* agent = nullptr;
thread_local pyrometer_thread_memory own_memory{};
std::array<std::uint8_t, PYROMETER_BLOCK_FILTER_BYTES> blocks{}, objects{};
const pyrometer_memory_table kMemory = {.version = PYROMETER_MEMORY_VERSION,
                                        .size = sizeof(pyrometer_memory_table),
                                        .agent_came = [](const pyrometer_memory_agent*) {},
                                        .own_thread = [] { return &own_memory; },
                                        .heap = [] { return std::int64_t{0}; },
                                        .block_filter = blocks.data(),
                                        .object_filter = objects.data(),
                                        .wrap_pool = [](pyrometer_pool*, std::size_t) { return 0; },
                                        .wrap_moving_pool = [](pyrometer_pool*) { return 0; },
                                        .wrap_arenas = [](pyrometer_arenas*) {}};
const pyrometer_copies_table kCopies = {
    .version = PYROMETER_COPIES_VERSION,
    .size = sizeof(pyrometer_copies_table),
    .agent_came = [](const pyrometer_copies_agent* came) { agent = came; }};
thread_local std::int64_t until_sample = 0;

const void* const kProgram = reinterpret_cast<const void*>(1);  // not code of ours

void copy(std::size_t bytes, const void* caller = kProgram) {
  if (bytes >= kBig) {
    agent->copied(bytes, caller);
    return;
  }
  until_sample -= static_cast<std::int64_t>(bytes);
  if (until_sample <= 0) until_sample = agent->copied(bytes, caller);
}

class CopyRecordingTest : public testing::Test {
 protected:
  void SetUp() override {
    until_sample = 0;
    copies_.start(recorder_);
  }
  void write(std::int64_t now, bool is_last = false) {
    copies_.write(now, is_last, recorder_, find_thread_, [] {});
    recorded_ += recorder_.take_pending();
  }
  std::int64_t total(std::string_view metric) {
    write(monotonic_now(), true);
    auto reader = RecordingReader::from_bytes(recorded_).value();
    const Profile profile = load_recording(reader, Detail::kValues, {}, recorded_.size());
    const auto found = profile.find_metric(metric);
    return found ? grand_total(profile, *found) : 0;
  }

  const FrameContext context_{};  // no Python
  MemoryRecording memory_{kMemory, context_, MemoryMode::kSampled};
  CopyRecording copies_{kCopies, memory_, context_};
  Recorder recorder_{RecordingHeader{}};
  std::string recorded_;
  CopyRecording::FindThread find_thread_ = [](int) { return std::nullopt; };
};

TEST_F(CopyRecordingTest, BigOnesExactly) {
  for (int i = 0; i < 10; ++i) copy(kBig + 5);
  EXPECT_EQ(total("copied"), 10 * (static_cast<std::int64_t>(kBig) + 5));
  EXPECT_EQ(total("copies"), 10);
}

TEST_F(CopyRecordingTest, SmallOnesAsEstimates) {
  constexpr int kTimes = 400'000;
  for (int i = 0; i < kTimes; ++i) copy(10'000);
  // 4 GB are some 4,000 samples: right within 1.6 %, three times in a row.
  EXPECT_NEAR(static_cast<double>(total("copied")), 10'000.0 * kTimes, 0.06 * 10'000.0 * kTimes);
  EXPECT_NEAR(static_cast<double>(total("copies")), kTimes, 0.06 * kTimes);
}

TEST_F(CopyRecordingTest, OursAreNotThePrograms) {
  copy(kBig, reinterpret_cast<const void*>(&copy));
  EXPECT_EQ(total("copied"), 0);
}

TEST_F(CopyRecordingTest, NotWhilePaused) {
  copies_.pause();
  copy(kBig);
  copies_.resume();
  copy(2 * kBig);
  EXPECT_EQ(total("copied"), 2 * static_cast<std::int64_t>(kBig));
}

TEST_F(CopyRecordingTest, ThreadsThatEndAreWrittenAtOnce) {
  write(monotonic_now());
  for (int i = 0; i < 20; ++i) std::thread([] { copy(kBig); }).join();
  const std::size_t before = recorded_.size();
  write(monotonic_now());  // sooner than others are
  EXPECT_GT(recorded_.size(), before);
  EXPECT_EQ(total("copied"), 20 * static_cast<std::int64_t>(kBig));
}

TEST_F(CopyRecordingTest, NothingNewIsNotWritten) {
  copy(kBig);
  const std::int64_t now = monotonic_now();
  write(now);
  const std::size_t before = recorded_.size();
  for (int i = 1; i < 100; ++i) write(now + i * kSecond);
  EXPECT_EQ(recorded_.size(), before);
}

}  // namespace
}  // namespace pyrometer
