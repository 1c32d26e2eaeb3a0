#include "cli/run_report.h"

#include "analyze/main_metric.h"
#include "base/format_value.h"
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

// Why there is no recording, as far as we can know.
std::string why_no_recording(const FinishedRun& run) {
  const std::string& program = run.target.argv[0];
  if (const std::string option = isolating_option(run.target.argv); !option.empty()) {
    return fmt::format(
        "nothing was recorded: {} was started with {}, which keeps Pyrometer out; "
        "leave {} away to record it",
        program, option, option);
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

// The profile of the run; nothing when there is none, which has been said then.
std::optional<Profile> load_run(FinishedRun& run) {
  const auto say_nothing_recorded = [&](std::string sentence) {
    if (may_remove(run)) {
      remove_run(run.output.directory);
      run.output.directory.clear();
    }
    const bool was_wanted = !run.quiet || !run.output.prof.empty();
    if (was_wanted && run.end.notices.empty()) run.end.notices.push_back(std::move(sentence));
  };
  const auto recordings = list_recordings(run.output.directory);
  if (recordings && recordings->empty()) {
    say_nothing_recorded(why_no_recording(run));
    return std::nullopt;
  }
  ProgressLine progress;
  const Path names[] = {run.output.directory};
  auto profile = load_profile(names, {Detail::kSummary, progress.listener()});
  if (!profile) {
    run.end.notices.push_back(profile.error().message);
    return std::nullopt;
  }
  if (is_empty(*profile)) {
    say_nothing_recorded("nothing was recorded: the program ended before the first sample");
    return std::nullopt;
  }
  return *std::move(profile);
}

std::optional<RunSummary> summarize(FinishedRun& run) {
  const auto profile = load_run(run);
  if (!profile) return std::nullopt;
  if (profile->metrics.empty()) return RunSummary{.processes = profile->processes.size()};
  const auto metric = main_metric(*profile);
  if (!metric) return std::nullopt;
  return summarize_run(make_overview(*profile, *metric));
}

void say(const FinishedRun& run, const std::optional<RunSummary>& summary,
         const RunTraces& traces) {
  for (const std::string& notice : run.end.notices) print_error(notice);
  if (!summary || run.quiet) return;
  if (stderr_is_terminal()) write_to_stderr("\n");  // apart from the program's own output
  write_to_stderr(run_summary_text(*summary, traces, use_color_on_stderr()));
}

// Many ranks end at the same time: one of them says where everything is.
void say_of_ranks(const FinishedRun& run) {
  for (const std::string& notice : run.end.notices) print_error(notice);
  if (run.rank != 0 || run.quiet) return;
  const std::string directory = run.output.directory.string();
  const std::string ranks =
      run.size > 0 ? fmt::format("{} ranks ", format_count(run.size)) : std::string();
  print_error(
      fmt::format("{}recorded in {}; next: pyrometer report {}", ranks, directory, directory));
}

void derive_and_say(FinishedRun& run) {
  const bool is_of_ranks = run.rank >= 0;
  // Other ranks are still being recorded, and there may be thousands: their report comes later.
  std::optional<RunSummary> summary;
  if (!is_of_ranks) summary = summarize(run);
  const bool is_last_rank =
      is_of_ranks && mark_end_of_rank(run.output.directory, run.rank, run.size);
  RunTraces traces{.directory = run.output.directory.string()};
  if (!run.output.prof.empty() && !run.output.directory.empty()) {
    auto files = write_prof_files({run.output, run.parts, run.rank, is_last_rank});
    if (files) {
      traces.files = *std::move(files);
    } else {
      run.end.notices.push_back(files.error().message);
    }
  }
  if (run.json) {
    if (run.rank <= 0) write_to_stderr(run_summary_json(summary, traces, run.end));
  } else if (is_of_ranks) {
    say_of_ranks(run);
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
