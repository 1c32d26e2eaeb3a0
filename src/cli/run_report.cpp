#include "cli/run_report.h"

#include <algorithm>
#include <set>

#include "analyze/main_metric.h"
#include "base/format_value.h"
#include "base/rank_set.h"
#include "base/signal_name.h"
#include "cli/python_words.h"
#include "cli/terminal.h"
#include "load/load.h"

namespace pyrometer {
namespace {

bool has_warning(const Profile& profile) {
  for (const Message& message : profile.messages) {
    if (message.level != MessageLevel::kInfo) return true;
  }
  return !profile.notes.empty();
}

// Whether the run can be thrown away: every process ended and none measured anything.
bool is_empty(const Profile& profile) {
  for (const Process& process : profile.processes) {
    if (process.status != ProcessStatus::kFinished) return false;
  }
  return profile.nodes.empty() && profile.line_values.empty() && !has_warning(profile);
}

// A process that ends in a pause says how long that was.
bool was_paused(const Profile& profile) {
  return std::any_of(
      profile.processes.begin(), profile.processes.end(), [](const Process& process) {
        const auto is_pause = [](const auto& attribute) { return attribute.first == "paused"; };
        return std::any_of(process.attributes.begin(), process.attributes.end(), is_pause);
      });
}

// Who wants to hear nothing need not wait until a recording is read in which something was surely
// measured: what is always in one takes less.
bool is_surely_not_empty(const Path& directory) {
  constexpr std::uintmax_t kMuch = 32 << 10;
  const auto recordings = list_recordings(directory);
  return recordings && std::ranges::any_of(*recordings, [](const Path& recording) {
           std::error_code error;
           const std::uintmax_t size = std::filesystem::file_size(recording, error);
           return !error && size > kMuch;
         });
}

// How many of the ranks were to be recorded; of an unknown number 0.
std::int32_t recorded_ranks(const FinishedRun& run) {
  const auto chosen = RankSet::parse(run.ranks);
  if (run.ranks.empty() || !chosen) return run.size;
  std::int32_t count = 0;
  for (std::int32_t rank = 0; rank < run.size; ++rank) count += chosen->contains(rank) ? 1 : 0;
  return count;
}

// Why there is no recording, as far as we can know.
std::string why_no_recording(const FinishedRun& run) {
  if (run.size > 0 && recorded_ranks(run) == 0) {
    return fmt::format("nothing was recorded: --ranks {} names none of the ranks 0 to {}",
                       run.ranks, run.size - 1);
  }
  const std::string& program = run.target.argv[0];
  const auto words = read_python_words(run.target.argv);
  if (words && !words->isolating_option.empty()) {
    return fmt::format(
        "nothing was recorded: {} was started with {}, which keeps Pyrometer out; "
        "leave {} away to record it",
        program, words->isolating_option, words->isolating_option);
  }
  if (run.target.is_python) {
    return fmt::format("nothing was recorded: {} ended before Pyrometer could start in it",
                       program);
  }
  return fmt::format("nothing was recorded: {} started no Python, or one that ignores PYTHONPATH",
                     program);
}

// A run of many ranks is not over when one of them has ended.
bool may_remove(const FinishedRun& run) { return run.rank < 0; }

bool holds_recordings(const Path& directory) {
  const auto recordings = list_recordings(directory);
  return !recordings || !recordings->empty();
}

// The profile of the run; nothing when there is none, which has been said then, or when nobody
// wants to hear of it.
std::optional<Profile> load_run(FinishedRun& run) {
  const auto say_nothing_recorded = [&](std::string sentence) {
    if (may_remove(run)) {
      remove_run(run.output.directory);
      run.output.directory.clear();
    }
    const bool was_wanted = !run.quiet || !run.output.derived.empty();
    if (was_wanted && run.end.notices.empty()) run.end.notices.push_back(std::move(sentence));
  };
  if (!holds_recordings(run.output.directory)) {
    if (run.is_last_rank) {
      if (!remove_empty_run(run.output.directory)) return std::nullopt;
      run.output.directory.clear();
    }
    say_nothing_recorded(why_no_recording(run));
    return std::nullopt;
  }
  const bool is_needed = !run.quiet || run.json || !run.regions.empty();
  if (!is_needed && is_surely_not_empty(run.output.directory)) return std::nullopt;
  ProgressLine progress;
  const Path names[] = {run.output.directory};
  auto profile = load_profile(names, {Detail::kSummary, progress.listener()});
  if (!profile) {
    run.end.notices.push_back(profile.error().message);
    return std::nullopt;
  }
  if (is_empty(*profile)) {
    say_nothing_recorded(
        was_paused(*profile)
            ? "nothing was recorded: recording began paused, and the program never called "
              "pyrometer.resume()"
            : "nothing was recorded: the program ended before the first sample");
    return std::nullopt;
  }
  return *std::move(profile);
}

// Functions that were to be timed and were found in no process.
void tell_missing_regions(FinishedRun& run, const Profile& profile) {
  std::set<std::string_view> timed;
  for (const Process& process : profile.processes) {
    for (const auto& [key, value] : process.attributes) timed.insert(key);
  }
  for (const RegionTarget& target : run.regions) {
    if (timed.contains("timed." + target.place())) continue;
    run.end.notices.push_back(
        fmt::format("the region {} has no figures: no module {} with a function {} was imported",
                    target.name, target.module, target.function));
  }
}

std::optional<RunSummary> summarize(FinishedRun& run) {
  const auto profile = load_run(run);
  if (!profile) return std::nullopt;
  tell_missing_regions(run, *profile);
  if (profile->metrics.empty()) return RunSummary{.processes = profile->processes.size()};
  const auto metric = main_metric(*profile);
  if (!metric) return std::nullopt;
  Overview overview = make_overview(*profile, *metric);
  add_rank_facts(overview);
  return summarize_run(overview);
}

void say(const FinishedRun& run, const std::optional<RunSummary>& summary,
         const RunTraces& traces) {
  for (const std::string& notice : run.end.notices) print_error(notice);
  if (!summary || run.quiet) return;
  if (stderr_is_terminal()) write_to_stderr("\n");  // apart from the program's own output
  write_to_stderr(run_summary_text(*summary, traces, use_color_on_stderr()));
}

// There may be thousands of ranks, and the launcher waits for us.
constexpr std::int32_t kMostSummarized = 256;

// The last rank to end speaks for all. Where nobody can know which one that is, rank 0 says where
// everything is.
void say_of_ranks(const FinishedRun& run, const std::optional<RunSummary>& summary,
                  const RunTraces& traces) {
  const bool is_removed = traces.directory.empty();
  if (summary || run.quiet || is_removed) return say(run, summary, traces);
  for (const std::string& notice : run.end.notices) print_error(notice);
  const std::string next = fmt::format("{0}; next: pyrometer report {0}", traces.directory);
  const bool has_failed = run.end.status != 0 || run.end.signal != 0;
  const bool speaks_for_all = run.size > 0 ? run.is_last_rank : run.rank == 0;
  if (speaks_for_all) {
    const std::int32_t count = recorded_ranks(run);
    const std::string ranks =
        count > 0 ? format_plural(static_cast<std::size_t>(count), "rank", "ranks") + " " : "";
    print_error(fmt::format("{}recorded in {}", ranks, next));
  } else if (has_failed && claim(run.output.directory, "failure")) {
    // The launcher may kill the others now, so that none is the last.
    const std::string how = run.end.signal != 0
                                ? "was killed by " + signal_words(run.end.signal)
                                : fmt::format("ended with status {}", run.end.status);
    print_error(fmt::format(
        "rank {} {}; {}", run.rank, how,
        holds_recordings(run.output.directory) ? "recorded in " + next : why_no_recording(run)));
  }
}

void derive_files(FinishedRun& run, RunTraces& traces) {
  const bool is_of_ranks = run.rank >= 0;
  // Where the number of ranks is unknown, each writes a file over all anew.
  const bool may_be_last = run.is_last_rank || run.size == 0;
  auto files = write_derived_files({run.output, run.parts, run.rank, may_be_last});
  if (!files) {
    run.end.notices.push_back(files.error().message);
  } else if (is_of_ranks && is_per_process(run.output.derived)) {
    traces.files = {run.output.derived};  // every rank wrote its own
  } else {
    traces.files = *std::move(files);
  }
}

// What killed the program's first process, which could not write it down itself: "4711 11".
std::string how_it_ended(const FinishedRun& run) {
  if (run.end.signal == 0) return {};
  return fmt::format("{} {}", run.pid, run.end.signal);
}

void derive_and_say(FinishedRun& run) {
  const bool is_of_ranks = run.rank >= 0;
  run.is_last_rank =
      is_of_ranks && mark_end_of_rank(run.output.directory, run.rank, run.size, how_it_ended(run));
  const bool is_heard = !run.quiet || run.json;
  const bool is_worth_summing_up = (is_heard && run.size <= kMostSummarized) ||
                                   (run.is_last_rank && !holds_recordings(run.output.directory));
  const bool has_all = !is_of_ranks || (run.is_last_rank && is_worth_summing_up);
  std::optional<RunSummary> summary;
  if (has_all) summary = summarize(run);
  RunTraces traces{.directory = run.output.directory.string()};
  if (!run.output.derived.empty() && !run.output.directory.empty()) derive_files(run, traces);
  if (run.json) {
    const bool speaks = !is_of_ranks || (run.size > 0 ? run.is_last_rank : run.rank == 0);
    if (speaks) write_to_stderr(run_summary_json(summary, traces, run.end));
  } else if (is_of_ranks) {
    say_of_ranks(run, summary, traces);
  } else {
    say(run, summary, traces);
  }
}

}  // namespace

void report_run(FinishedRun run) {
  try {
    derive_and_say(run);
  } catch (const std::exception& error) {  // no memory, no threads, a folder that vanished
    print_error(fmt::format("recorded in '{}', but it could not be summed up: {}",
                            run.output.directory.string(), error.what()));
  }
}

}  // namespace pyrometer
