// However long a program runs and however many places allocate: a recording of its memory is small.
#include <gtest/gtest.h>

#include "collect/memory_recording.h"
#include "collect/write_pace.h"
#include "os/clocks.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kMegabyte = 1'000'000;

// In the place of the library before malloc.
std::array<std::uint8_t, PYROMETER_BLOCK_FILTER_BYTES> blocks{}, objects{};
const pyrometer_memory_agent* agent = nullptr;
std::int64_t heap = 0;
pyrometer_thread_memory own_thread{};

const pyrometer_memory_table kLibrary = {
    .version = PYROMETER_MEMORY_VERSION,
    .size = sizeof(pyrometer_memory_table),
    .agent_came = [](const pyrometer_memory_agent* came) { agent = came; },
    .own_thread = [] { return &own_thread; },
    .heap = [] { return heap; },
    .block_filter = blocks.data(),
    .object_filter = objects.data(),
    .wrap_pool = [](pyrometer_pool*, std::size_t) { return 0; },
    .wrap_moving_pool = [](pyrometer_pool*) { return 0; },
    .wrap_arenas = [](pyrometer_arenas*) {},
    .stand_before_imports = [](const void*) {},
    .follow_imports = [] {},
    .leave_imports = [] {}};

// Places are told apart by who called malloc: each instruction of this executable could have.
struct Places {
  LoadedModules modules;
  std::uintptr_t begin = 0;

  Places() {
    modules.update();
    const auto here = modules.find(reinterpret_cast<std::uintptr_t>(&read_clock));
    begin = modules[*here].begin;
  }
  const void* operator[](std::size_t i) const { return reinterpret_cast<const void*>(begin + i); }
};

// Bytes that are written when each place allocates and frees once a second.
std::size_t recorded_size(MemoryMode mode, std::size_t places, std::int64_t seconds) {
  heap = 0;
  const Places callers;
  const FrameContext context{};  // no Python
  MemoryRecording memory(kLibrary, context, mode);
  Recorder recorder(RecordingHeader{});
  memory.start(recorder);
  const std::int64_t started = monotonic_now();
  const std::function<std::optional<std::uint32_t>(int)> find_thread = [](int) { return 0U; };
  const std::function<void()> drain_codes = [] {};
  const MemoryRecording::Tools tools{recorder, callers.modules, find_thread, drain_codes};
  std::size_t size = 0;
  std::uint64_t random = 1;
  std::vector<std::size_t> sizes(places);
  for (std::int64_t second = 0; second <= seconds; ++second) {
    const std::int64_t now = started + second * kSecond;
    for (std::size_t i = 0; i < places; ++i) {
      const auto* block = reinterpret_cast<const void*>((i + 1) << 20U);
      agent->block_goes(block);
      heap -= static_cast<std::int64_t>(sizes[i]);
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      sizes[i] = 1'000 + (random >> 44U);
      agent->block_came(block, sizes[i], PYROMETER_HEAP_BLOCK, callers[i]);
      heap += static_cast<std::int64_t>(sizes[i]);
      agent->heap_peak(heap);
    }
    for (int look = 0; look < 4; ++look) memory.look(now + look * kSecond / 4);
    memory.write(now, second == seconds, tools);
    size += recorder.take_pending().size();
  }
  return size;
}

class MemorySize : public testing::TestWithParam<MemoryMode> {};

TEST_P(MemorySize, AnHourOfManyPlaces) {
  for (const std::size_t places : {10UL, 1'000UL, 20'000UL}) {
    const std::int64_t seconds = places > 10'000 ? 60 : 3'600;
    EXPECT_LT(recorded_size(GetParam(), places, seconds), 4 * kMegabyte) << places;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, MemorySize,
                         testing::Values(MemoryMode::kSampled, MemoryMode::kExact));

// Of pieces of this size, every second at most.
std::size_t written_in(std::int64_t seconds, std::size_t piece, std::int64_t most) {
  WritePace pace(0, most);
  std::size_t size = 0;
  for (std::int64_t now = kSecond / 10; now < seconds * kSecond; now += kSecond) {
    if (!pace.is_due(now)) continue;
    size += piece;
    pace.wrote(now, piece, 0);
  }
  return size;
}

TEST(WritePace, ABoundWhateverTheLengthAndThePieces) {
  constexpr std::int64_t kDay = 24 * 3600, kMost = 10 * kMegabyte;
  for (const std::size_t piece : {100UL, 10'000UL, 300'000UL}) {
    const std::size_t day = written_in(kDay, piece, kMost);
    EXPECT_LT(day, kMost) << piece;
    EXPECT_LT(written_in(20 * kDay, piece, kMost) - day, kMost / 4) << piece;
  }
  EXPECT_EQ(written_in(600, 100, kMost), 600 * 100);  // small ones every second
}

}  // namespace
}  // namespace pyrometer
