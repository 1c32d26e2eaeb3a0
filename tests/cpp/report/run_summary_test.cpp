#include "report/run_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "profile/builder.h"
#include "support/job_profile.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// A small wave program: `element` computes and calls BLAS, `inside` only computes, the worker
// thread waits for the GIL.
class Wave {
 public:
  Wave() {
    process_ = builder_.add_process({.host = "node",
                                     .pid = 7,
                                     .start = 5'000 * kMs,
                                     .duration = 8'400 * kMs,
                                     .attributes = {{"sampler.rate", "100"},
                                                    {"sampler.rate", "200"},
                                                    {"sampler.samples", "1684"},
                                                    {"sampler.cost", "24"},
                                                    {"sampler.cpu", "8000"}}});
    main_ = builder_.add_thread({.process = process_, .name = builder_.string("MainThread")});
    worker_ = builder_.add_thread({.process = process_, .name = builder_.string("worker")});
    for (const char* name : {"wall", "cpu", "python", "native", "system", "gil-wait", "sleep"}) {
      builder_.metric({name, Unit::kNanoseconds});
    }
    builder_.metric({"samples"});
    std::string source;
    for (int line = 1; line < 100; ++line) source += "    work(" + std::to_string(line) + ")\n";
    builder_.profile().sources[builder_.string("/home/user/wave.py")] = {false, source};
    builder_.profile().is_sampled = true;
    module_ = node(NodeId::none(), FunctionKind::kPython, "<module>", 1, 90);
  }

  NodeId node(NodeId parent, FunctionKind kind, std::string_view name, std::uint32_t first_line,
              std::uint32_t line) {
    const bool is_python = kind == FunctionKind::kPython;
    return builder_.node(parent,
                         builder_.function({.kind = kind,
                                            .name = name,
                                            .qualified_name = name,
                                            .file = is_python ? "/home/user/wave.py" : "",
                                            .short_file = is_python ? "wave.py" : "",
                                            .first_line = first_line}),
                         line);
  }

  void add(ThreadId thread, NodeId node, const std::vector<std::string_view>& metrics,
           std::int64_t milliseconds) {
    for (const std::string_view name : metrics) {
      const MetricId metric = *builder_.profile().find_metric(name);
      builder_.values(thread).row(node)[metric] += milliseconds * kMs;
    }
    builder_.values(thread).row(node)[*builder_.profile().find_metric("samples")] +=
        milliseconds / 5;
  }

  Profile finish() {
    const NodeId element = node(module_, FunctionKind::kPython, "element", 52, 61);
    const NodeId cold = node(module_, FunctionKind::kPython, "element", 52, 64);
    const NodeId blas = node(cold, FunctionKind::kNative, "libopenblas.so.0", 0, 0);
    const NodeId inside = node(module_, FunctionKind::kPython, "inside", 28, 45);
    const NodeId gil = node(inside, FunctionKind::kLabel, "(waiting for the GIL)", 0, 0);
    const NodeId sleep = node(module_, FunctionKind::kLabel, "(clock_nanosleep)", 0, 0);
    add(main_, element, {"wall", "cpu", "python"}, 3'000);
    add(main_, cold, {"wall", "cpu", "python"}, 400);
    add(main_, blas, {"wall", "cpu", "native"}, 2'000);
    add(main_, inside, {"wall", "cpu", "python"}, 1'600);
    add(main_, module_, {"wall", "cpu", "system"}, 200);
    add(main_, sleep, {"wall", "sleep"}, 300);
    add(worker_, gil, {"wall", "gil-wait"}, 500);
    return builder_.finish();
  }

  ProfileBuilder& builder() { return builder_; }
  ThreadId main() const { return main_; }
  NodeId module() const { return module_; }

 private:
  ProfileBuilder builder_;
  ProcessId process_;
  ThreadId main_, worker_;
  NodeId module_;
};

RunSummary summary_of(const Profile& profile) {
  return summarize_run(make_overview(profile, *profile.find_metric("wall")));
}

TEST(RunSummary, TenLinesThatSayWhere) {
  const Profile profile = Wave().finish();
  EXPECT_EQ(
      run_summary_text(summary_of(profile), {.directory = "pyrometer-wave-1"}, false),
      "pyrometer  8.40 s wall, 7.20 s CPU: python 63 %, native 25 %, system 2 %, waiting for the "
      "GIL 6 %, waiting 4 %   1 process, 2 threads\n"
      "  68 %  element   wave.py:52   hottest line 61: work(61)\n"
      "  20 %  inside    wave.py:28   hottest line 45: work(45)\n"
      "    self    total   function                    where\n"
      "  3.40 s   5.40 s   element                     wave.py:52\n"
      "  2.00 s   2.00 s   libopenblas.so.0 (native)   called from wave.py:64\n"
      "  1.60 s   2.10 s   inside                      wave.py:28\n"
      "  500 ms   500 ms   (waiting for the GIL)       called from wave.py:45\n"
      "  300 ms   300 ms   (clock_nanosleep)           called from wave.py:90\n"
      "  recorded in pyrometer-wave-1   1,684 samples at 200 Hz, cost 0.3 %\n"
      "  next: pyrometer view pyrometer-wave-1\n");
}

TEST(RunSummary, SharesAddUpToAHundred) {
  for (std::int64_t sleep = 0; sleep < 400; sleep += 7) {
    Wave wave;
    wave.add(wave.main(), wave.module(), {"wall", "sleep"}, 3 * sleep);
    wave.add(wave.main(), wave.module(), {"wall", "cpu", "python"}, sleep);
    const Profile profile = wave.finish();
    const RunSummary summary = summary_of(profile);
    const auto add = [](int sum, const RunSummary::Share& share) { return sum + share.percent; };
    EXPECT_EQ(std::accumulate(summary.shares.begin(), summary.shares.end(), 0, add), 100) << sleep;
  }
}

TEST(RunSummary, SeveralProcessesAreAddedUp) {
  Wave wave;
  wave.builder().add_process({.host = "node",
                              .pid = 8,
                              .start = 6'000 * kMs,
                              .duration = 9'000 * kMs,
                              .attributes = {{"sampler.rate", "50"},
                                             {"sampler.samples", "16"},
                                             {"sampler.rejected", "3"},
                                             {"sampler.lost", "2000"},
                                             {"sampler.cost", "56"},
                                             {"sampler.cpu", "rubbish"}}});
  const Profile profile = wave.finish();
  const RunSummary summary = summary_of(profile);
  EXPECT_EQ(summary.wall, 10'000 * kMs);
  EXPECT_EQ(summary.processes, 2U);
  const std::string text = run_summary_text(summary, {.directory = "run"}, false);
  EXPECT_NE(text.find("1,700 samples at 50 to 200 Hz, cost 1.0 %, 3 rejected, 2,000 lost\n"),
            std::string::npos)
      << text;
}

TEST(RunSummary, WarningsOfTheRecorderAreShown) {
  Wave wave;
  wave.builder().profile().messages.push_back(
      {ProcessId(0), 0, MessageLevel::kWarning, "perf_event was denied\x1b."});
  const Profile profile = wave.finish();
  const std::string text = run_summary_text(summary_of(profile), {.directory = "r\x1b"}, false);
  EXPECT_NE(text.find("  ! Recorder: perf_event was denied\\x1b.\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(RunSummary, IdleRanksAreNamed) {
  ProfileBuilder builder;
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const MetricId cpu = builder.metric({"cpu", Unit::kNanoseconds});
  const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 0);
  for (const std::int64_t work : {1000, 190, 210, 0}) {
    const auto rank = static_cast<std::int64_t>(builder.profile().processes.size());
    const ProcessId process = builder.add_process({.rank = rank, .duration = 1000 * kMs});
    ValueRows& values = builder.values(builder.add_thread({.process = process}));
    values.row(node)[wall] = 1000 * kMs;
    values.row(node)[cpu] = work * kMs;
  }
  const Profile profile = builder.finish();
  const RunSummary summary = summary_of(profile);
  EXPECT_EQ(summary.ranks, 4U);
  EXPECT_EQ(summary.idle_ranks, (std::vector<std::int64_t>{1, 3}));
  const std::string text = run_summary_text(summary, {.directory = "run"}, false);
  EXPECT_NE(text.find("   4 ranks, 4 threads\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "! 2 of 4 ranks are idle, with under a fifth of the busiest one's CPU time: 1, 3\n"),
      std::string::npos)
      << text;
}

TEST(RunSummary, WhatRanksWaitForStandsBeforeSmallFunctions) {
  testing::JobProfile job({.ranks = 4});
  for (const char* path : {"main:1;a:1", "main:2;b:2", "main:3;c:3", "main:4;d:4"}) {
    job.work_everywhere(path, testing::kSecond / 4);
  }
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    job.work(rank, "main:9;solve:61", (rank == 3 ? 8 : 4) * testing::kSecond);
    const std::int64_t wait = rank == 3 ? 0 : 4 * testing::kSecond;
    job.mpi(rank, "main:9;solve:88", "MPI_Allreduce", wait + kMs, kMs);
  }
  const Profile profile = job.finish();
  Overview overview = make_overview(profile, *profile.find_metric("wall"));
  add_rank_facts(overview);
  const RunSummary summary = summarize_run(overview);
  ASSERT_EQ(summary.rank_sentences.size(), 2U);
  const std::string text = run_summary_text(summary, {.directory = "run"}, false);
  EXPECT_NE(text.find("  • Ranks wait 12.0 s in all in MPI_Allreduce at solve.py:88"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  • solve (solve.py:61) is spread unevenly: rank 3"), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12) << text;
  EXPECT_TRUE(text.ends_with("  next: pyrometer view run\n"));
}

TEST(RunSummary, WithoutCpuTimeThereAreNoShares) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({.duration = 100 * kMs});
  const ThreadId thread = builder.add_thread({.process = process});
  const MetricId wall = builder.metric({"wall", Unit::kNanoseconds});
  const NodeId node = builder.node(NodeId::none(), builder.function({.name = "f"}), 0);
  builder.values(thread).row(node)[wall] = 100 * kMs;
  const Profile profile = builder.finish();
  EXPECT_EQ(run_summary_text(summary_of(profile), {.directory = "run", .files = {"x.prof"}}, false),
            "pyrometer  100 ms wall   1 process, 1 thread\n"
            " 100 %  f\n"
            "    self    total   function   where\n"
            "  100 ms   100 ms   f\n"
            "  recorded in run\n"
            "  cProfile's format in x.prof\n"
            "  next: pyrometer view run\n");
}

TEST(RunSummary, FilesAreCalledWhatTheyAre) {
  const Profile profile = Wave().finish();
  const std::string text =
      run_summary_text(summary_of(profile),
                       {.directory = "run",
                        .files = {"a.prof/x.speedscope.json", "x.collapsed", "out.txt.d/x.svg",
                                  "x.prof7", "x.profile.csv", "graph_%r.pdf", "x.lprof"}},
                       false);
  EXPECT_NE(text.find("  profile in a.prof/x.speedscope.json\n"
                      "  profile in x.collapsed\n"
                      "  graph in out.txt.d/x.svg\n"
                      "  cProfile's format in x.prof7\n"
                      "  profile in x.profile.csv\n"
                      "  graph in graph_%r.pdf\n"
                      "  line_profiler's format in x.lprof\n"),
            std::string::npos)
      << text;
}

TEST(RunSummary, JsonSaysTheSame) {
  const Profile profile = Wave().finish();
  const std::string json =
      run_summary_json(summary_of(profile), {.directory = "run", .files = {"x.prof"}},
                       {.status = 3, .notices = {"the disk is full"}});
  for (const char* part :
       {R"("kind":"pyrometer-run")", R"("directory":"run")", R"("files":["x.prof"])",
        R"("status":3,"signal":0)", R"("notices":["the disk is full"])",
        R"({"kind":"gil-wait","value":500000000,"percent":6})", R"("line":61)",
        R"("called_from":"wave.py:64")", R"("cost":0.003)"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  }
  EXPECT_NE(run_summary_json(std::nullopt, {}, {}).find(R"("summary":null)"), std::string::npos);
}

}  // namespace
}  // namespace pyrometer
