#include <gtest/gtest.h>

#include <array>

#include "load/recording.h"
#include "profile/totals.h"
#include "support/small_recording.h"
#include "synthetic_recording.h"

namespace pyrometer {
namespace {

using testing::SmallRecording;

Profile load(std::string_view bytes, Detail detail = Detail::kEverything) {
  auto reader = RecordingReader::from_bytes(bytes).value();
  return load_recording(reader, detail);
}

std::int64_t total_of(const Profile& profile, std::string_view metric) {
  const auto found = profile.find_metric(metric);
  return found ? grand_total(profile, *found) : -1;
}

TEST(LoadRecording, KnowsProcessThreadsFunctionsAndPositions) {
  const Profile profile = load(SmallRecording().whole());
  const Process& process = profile.processes.at(0);
  EXPECT_EQ(process.rank, 3);
  EXPECT_EQ(process.world_size, 4);
  EXPECT_EQ(process.host, "node07");
  EXPECT_EQ(process.status, ProcessStatus::kFinished);
  EXPECT_EQ(process.exit_status, 0);
  EXPECT_EQ(process.duration, 6 * SmallRecording::kTick);
  ASSERT_EQ(profile.nodes.size(), 5U);
  const Function& solve = profile.function_of(NodeId(1));
  EXPECT_EQ(profile.text(solve.qualified_name), "Solver.solve");
  EXPECT_EQ(profile.text(solve.file), "/home/user/project/wave.py");
  EXPECT_EQ(profile.text(solve.short_file), "wave.py");
  EXPECT_EQ(profile.nodes[1].line, 21U);
  const Function& native = profile.function_of(NodeId(4));
  EXPECT_EQ(native.kind, FunctionKind::kNative);
  EXPECT_EQ(profile.text(native.name), "libm.so.6");
  EXPECT_EQ(profile.modules[native.module.row()].build_id, "\xab\xcd");
}

TEST(LoadRecording, SamplesAddUp) {
  const Profile profile = load(SmallRecording().whole());
  EXPECT_EQ(total_of(profile, "samples"), 6);
  EXPECT_EQ(total_of(profile, "wall"), 6 * SmallRecording::kTick);
  EXPECT_EQ(profile.node_totals[profile.find_metric("samples")->row()],
            (std::vector<std::int64_t>{0, 3, 0, 1, 2}));
  ASSERT_EQ(profile.samples.size(), 1U);
  EXPECT_EQ(profile.samples[0].size(), 6U);
  EXPECT_TRUE(load(SmallRecording().whole(), Detail::kValues).samples.empty());
}

TEST(LoadRecording, ACheckpointReplacesTheSamplesBeforeIt) {
  SmallRecording recording;
  recording.definitions();
  recording.sample_batch({SmallRecording::kSolve21, SmallRecording::kSolve21});
  const std::vector<BatchMetric> metrics{{recording.wall, 1}, {recording.samples, 1}};
  const auto checkpoint = [&](std::int64_t node, std::int64_t wall, std::int64_t samples) {
    RowWriter rows(checkpoint_columns(CheckpointSubject::kNode, metrics));
    rows.row({node, wall, samples});
    recording.writer.checkpoint(recording.time(), 0, CheckpointSubject::kNode, metrics, rows);
  };
  checkpoint(SmallRecording::kSolve21, 2 * SmallRecording::kTick, 2);
  checkpoint(SmallRecording::kSolve21, 50 * SmallRecording::kTick, 50);  // replaces, not adds
  recording.sample_batch({SmallRecording::kLibm});                       // comes on top
  const Profile profile = load(recording.writer.take_pending());
  EXPECT_EQ(total_of(profile, "samples"), 51);
  EXPECT_EQ(total_of(profile, "wall"), 51 * SmallRecording::kTick);
  EXPECT_EQ(profile.samples.at(0).size(), 3U);  // the timeline keeps all of them
}

TEST(LoadRecording, LineFunctionAndEdgeCheckpoints) {
  SmallRecording recording;
  recording.definitions();
  const auto hits = recording.writer.add_metric("hits", Unit::kCount, Combine::kSum);
  const std::vector<BatchMetric> metrics{{hits, 1}};
  const auto write = [&](CheckpointSubject subject, std::initializer_list<std::int64_t> row) {
    RowWriter rows(checkpoint_columns(subject, metrics));
    rows.row(row);
    recording.writer.checkpoint(0, 0, subject, metrics, rows);
  };
  write(CheckpointSubject::kLine, {1, 21, 10});
  write(CheckpointSubject::kLine, {1, 21, 12});
  write(CheckpointSubject::kFunction, {1, 3, 4});
  write(CheckpointSubject::kEdge, {0, 1, 5, 6});
  const Profile profile = load(recording.writer.take_pending());
  ASSERT_EQ(profile.line_values.size(), 1U);
  EXPECT_EQ(profile.line_values[0].line, 21U);
  EXPECT_EQ(profile.line_values[0].value, 12);
  ASSERT_EQ(profile.flat_values.size(), 2U);
  EXPECT_EQ(profile.flat_values[1].caller.is_none(), true);
  EXPECT_EQ(profile.flat_values[1].total, 4);
  EXPECT_EQ(profile.flat_values[0].caller.row(), 0U);
  EXPECT_EQ(profile.flat_values[0].self, 5);
}

TEST(LoadRecording, MpiCallsAreThoseOfTheLastRecord) {
  SmallRecording recording;
  recording.definitions();
  const auto calls = [&](std::int64_t count, std::int64_t time) {
    RowWriter rows(mpi_call_columns(1'000));
    rows.row({SmallRecording::kLibm, 4, 11, count, time, count * 1'024, 2'000, 9'000});
    recording.writer.events(RecordType::kMpiCalls, 0, 1'000, rows);
  };
  calls(1, 9'000);
  calls(3, 15'000);
  const Profile profile = load(recording.writer.take_pending());
  EXPECT_EQ(total_of(profile, "mpi-calls"), 3);
  EXPECT_EQ(total_of(profile, "mpi-time"), 15'000);
  EXPECT_EQ(total_of(profile, "mpi-wait"), 9'000);
  EXPECT_EQ(total_of(profile, "mpi-bytes"), 3'072);
  ASSERT_EQ(profile.mpi_calls.size(), 1U);
  EXPECT_EQ(profile.mpi_calls[0].slowest, 9'000);
  EXPECT_EQ(profile.mpi_calls[0].communicator, 4U);
}

TEST(LoadRecording, LiveMemoryIsATrackPerThreadAndPosition) {
  SmallRecording recording;
  recording.definitions();
  const auto snapshot = [&](std::int64_t time,
                            std::initializer_list<std::array<std::int64_t, 2>> live) {
    RowWriter rows(live_columns());
    for (const auto& row : live) rows.row(row);
    recording.writer.live(0, SmallRecording::kStart + time, rows);
  };
  snapshot(100, {{SmallRecording::kSolve21, 4'096}, {SmallRecording::kLibm, 8'192}});
  snapshot(200, {{SmallRecording::kSolve21, 0}});
  const Profile profile = load(recording.writer.take_pending());
  ASSERT_EQ(profile.live_tracks.size(), 2U);
  using Points = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const LiveTrack& solve = profile.live_tracks[0];
  EXPECT_EQ(profile.nodes[solve.node.row()].line, 21U);
  EXPECT_EQ(solve.points, (Points{{SmallRecording::kStart + 100, 4'096},  //
                                  {SmallRecording::kStart + 200, 0}}));
  EXPECT_EQ(profile.live_tracks[1].points.size(), 1U);
  EXPECT_EQ(profile.processes[0].duration, 200);
}

TEST(LoadRecording, CheckpointsOfInstructionsOnOneLineAddUp) {
  SmallRecording recording;
  recording.definitions();
  RowWriter nodes(node_columns());
  nodes.row({SmallRecording::kMain + 1, 2, 21, 7});  // another instruction of solve:21
  recording.writer.nodes(nodes);
  const auto allocated = recording.writer.add_metric("allocated", Unit::kBytes, Combine::kSum);
  const std::vector<BatchMetric> metrics{{allocated, 1}};
  const auto checkpoint = [&](std::int64_t first, std::int64_t second) {
    RowWriter rows(checkpoint_columns(CheckpointSubject::kNode, metrics));
    rows.row({SmallRecording::kSolve21, first});
    rows.row({SmallRecording::kLibm + 1, second});
    recording.writer.checkpoint(0, 0, CheckpointSubject::kNode, metrics, rows);
  };
  checkpoint(10, 20);
  checkpoint(100, 200);
  const Profile profile = load(recording.writer.take_pending());
  EXPECT_EQ(total_of(profile, "allocated"), 300);
}

TEST(LoadRecording, RegionsCountersMessagesAttributesAndSources) {
  SmallRecording recording;
  recording.definitions();
  const auto name = recording.writer.add_string("assembly");
  RowWriter regions(region_columns(1));
  regions.row({SmallRecording::kStart, name, 500, 1, 7});
  recording.writer.events(RecordType::kRegions, 0, 1, regions);
  const auto counter = recording.writer.add_counter(name, Unit::kBytes);
  RowWriter values(counter_columns(1));
  values.row({SmallRecording::kStart, 4096});
  recording.writer.events(RecordType::kCounterValues, counter, 1, values);
  recording.writer.message(1, MessageLevel::kWarning, "perf_event was denied");
  recording.writer.source(name, SourceKind::kText, "x = 1\n");
  const Profile profile = load(recording.writer.take_pending());
  EXPECT_EQ(profile.text(profile.regions.at(0).name), "assembly");
  EXPECT_EQ(profile.regions[0].duration, 500);
  EXPECT_EQ(profile.counters.at(0).points.at(0).second, 4096);
  EXPECT_EQ(profile.messages.at(0).text, "perf_event was denied");
  EXPECT_EQ(profile.sources.begin()->second.content, "x = 1\n");
  EXPECT_EQ(profile.processes[0].attributes.at(0).second, "/home/user/project");
}

TEST(LoadRecording, OfRegionsThatAreOpenTheLastWordCounts) {
  SmallRecording recording;
  recording.definitions();
  const auto name = recording.writer.add_string("assembly");
  const auto write = [&](RecordType type, std::initializer_list<std::int64_t> durations) {
    RowWriter rows(region_columns(1));
    for (const std::int64_t duration : durations) {
      rows.row({SmallRecording::kStart, name, duration, 0, 1});
    }
    recording.writer.events(type, 0, 1, rows);
  };
  write(RecordType::kOpenRegions, {100, 50});
  write(RecordType::kOpenRegions, {200});
  Profile profile = load(recording.writer.take_pending());
  ASSERT_EQ(profile.regions.size(), 1U);
  EXPECT_EQ(profile.regions[0].duration, 200);
  EXPECT_EQ(profile.regions[0].opener, FunctionId(0));

  SmallRecording ended;
  ended.definitions();
  ended.writer.add_string("assembly");
  RowWriter none(region_columns(1));
  RowWriter one(region_columns(1));
  one.row({SmallRecording::kStart, name, 300, 0, 0});
  ended.writer.events(RecordType::kOpenRegions, 0, 1, one);
  ended.writer.events(RecordType::kRegions, 0, 1, one);
  ended.writer.events(RecordType::kOpenRegions, 0, 1, none);
  profile = load(ended.writer.take_pending());
  ASSERT_EQ(profile.regions.size(), 1U);
  EXPECT_EQ(profile.regions[0].duration, 300);
  EXPECT_TRUE(profile.regions[0].opener.is_none());
}

TEST(LoadRecording, ThreadNamesMayChange) {
  SmallRecording recording;
  recording.definitions();
  const auto name = recording.writer.add_string("worker");
  recording.writer.thread(
      {.id = 0, .tid = 42, .thread_class = ThreadClass::kPython, .name = name, .end = 9});
  const Profile profile = load(recording.writer.take_pending());
  ASSERT_EQ(profile.threads.size(), 1U);
  EXPECT_EQ(profile.text(profile.threads[0].name), "worker");
  EXPECT_EQ(profile.threads[0].end, 9);
}

TEST(LoadRecording, CutAnywhereLoadsWhatCameBefore) {
  const std::string whole = SmallRecording().whole();
  std::int64_t samples_before = 0;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    auto reader = RecordingReader::from_bytes(std::string_view(whole).substr(0, cut));
    if (!reader) {
      EXPECT_LT(cut, kHeaderSize);
      continue;
    }
    const Profile profile = load_recording(*reader, Detail::kEverything);
    EXPECT_NE(profile.processes.at(0).status, ProcessStatus::kFinished) << cut;
    EXPECT_NE(profile.processes.at(0).status, ProcessStatus::kDamaged) << cut;
    const std::int64_t samples = std::max<std::int64_t>(0, total_of(profile, "samples"));
    EXPECT_GE(samples, samples_before) << cut;  // a longer prefix never says less
    samples_before = samples;
  }
  EXPECT_EQ(samples_before, 6);
}

TEST(LoadRecording, ReferencesToNothingAreDamageAndKeepWhatCameBefore) {
  using Change = void (*)(SmallRecording&);
  const Change changes[] = {
      [](SmallRecording& r) { r.writer.add_code({.name = 999}); },
      [](SmallRecording& r) { r.writer.add_module(999, "", 0, 0); },
      [](SmallRecording& r) { r.writer.thread({.id = 5}); },
      [](SmallRecording& r) { r.writer.source(999, SourceKind::kText, ""); },
      [](SmallRecording& r) { r.sample_batch({77}); },
      [](SmallRecording& r) { r.sample_batch({-1}); },
      [](SmallRecording& r) {
        RowWriter rows(node_columns());
        rows.row({100, 0, 1, 0});  // a parent that comes later
        r.writer.nodes(rows);
      },
      [](SmallRecording& r) {
        RowWriter rows(node_columns());
        rows.row({0, 2 * 50, 1, 0});
        r.writer.nodes(rows);
      },
      [](SmallRecording& r) {
        const std::vector<BatchMetric> metrics{{9, 1}};
        RowWriter rows(sample_columns(1, metrics));
        r.writer.samples(0, 1, metrics, rows);
      },
      [](SmallRecording& r) { r.writer.live(5, 0, RowWriter(live_columns())); },
      [](SmallRecording& r) {
        RowWriter rows(live_columns());
        rows.row({77, 4'096});
        r.writer.live(0, 0, rows);
      },
      [](SmallRecording& r) {
        RowWriter rows(live_columns());
        rows.row({SmallRecording::kMain, -1});
        r.writer.live(0, 0, rows);
      },
  };
  for (const Change change : changes) {
    SmallRecording recording;
    recording.definitions();
    recording.sample_batch({SmallRecording::kLibm});
    change(recording);
    recording.end();
    const Profile profile = load(recording.writer.take_pending());
    EXPECT_EQ(profile.processes.at(0).status, ProcessStatus::kDamaged);
    EXPECT_FALSE(profile.processes.at(0).trouble.empty());
    EXPECT_EQ(total_of(profile, "samples"), 1);
  }
}

TEST(LoadRecording, TooManyMetricsAreDamageNotMemory) {
  RecordingWriter writer({.host = "node"});
  for (int i = 0; i < 300; ++i)
    writer.add_metric(fmt::format("m{}", i), Unit::kCount, Combine::kSum);
  const Profile profile = load(writer.take_pending());
  EXPECT_EQ(profile.processes.at(0).status, ProcessStatus::kDamaged);
}

TEST(LoadRecording, SyntheticSizesAndCompressionAgree) {
  const SyntheticShape shape{.nodes = 2000, .samples = 30'000, .threads = 3, .checkpoint = false};
  SyntheticShape compressed = shape;
  compressed.compressed = true;
  const Profile a = load(synthetic_recording(shape));
  const Profile b = load(synthetic_recording(compressed));
  EXPECT_EQ(total_of(a, "samples"), 30'000);
  EXPECT_EQ(a.threads.size(), 3U);
  EXPECT_EQ(a.node_totals, b.node_totals);
}

}  // namespace
}  // namespace pyrometer
