#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/format_value.h"
#include "base/printable.h"
#include "report/run_summary.h"
#include "report/text_table.h"

namespace pyrometer {
namespace {

constexpr std::size_t kWidestSource = 60;
constexpr std::size_t kMostLines = 12;  // where fewer functions make room
constexpr std::size_t kLeastRows = 2;

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

// "1 process, 2 threads"; "4 ranks, 8 threads", with the processes where a rank has several
std::string participants(const RunSummary& summary) {
  std::string text;
  if (summary.ranks > 0) text = format_plural(summary.ranks, "rank", "ranks") + ", ";
  if (summary.ranks != summary.processes) {
    text += format_plural(summary.processes, "process", "processes") + ", ";
  }
  return text + format_plural(summary.threads, "thread", "threads");
}

std::string first_line(const RunSummary& summary, const Style& style) {
  std::string shares;
  for (const RunSummary::Share& share : summary.shares) {
    if (share.percent == 0) continue;
    shares += fmt::format("{} {} {} %", shares.empty() ? ":" : ",", share.words, share.percent);
  }
  std::string cpu;
  if (!shares.empty()) cpu = fmt::format(", {} CPU", format_value(Unit::kNanoseconds, summary.cpu));
  std::string paused;
  if (summary.paused > 0) {
    paused = fmt::format(" ({} paused)", format_value(Unit::kNanoseconds, summary.paused));
  }
  return fmt::format("{}  {} wall{}{}{}   {}\n", style.bold("pyrometer"),
                     format_value(Unit::kNanoseconds, summary.wall), paused, cpu, shares,
                     participants(summary));
}

std::string idle_ranks(const RunSummary& summary, const Style& style) {
  constexpr std::size_t kMostNamed = 8;
  const std::vector<std::int64_t>& idle = summary.idle_ranks;
  if (idle.empty()) return {};
  const std::span named(idle.data(), std::min(idle.size(), kMostNamed));
  const std::string sentence = fmt::format(
      "! {} of {} ranks {} idle, with under a fifth of the busiest one's CPU time: {}{}",
      idle.size(), summary.ranks, idle.size() == 1 ? "is" : "are", fmt::join(named, ", "),
      idle.size() > kMostNamed ? ", ..." : "");
  return "  " + style.yellow(sentence) + "\n";
}

std::string memory_lines(const RunSummary& summary) {
  if (!summary.memory) return {};
  const RunMemory& memory = *summary.memory;
  std::vector<std::string> levels;
  const auto add = [&](std::int64_t bytes, const char* what) {
    if (bytes > 0) levels.push_back(format_value(Unit::kBytes, bytes) + what);
  };
  add(memory.heap, " of heap");
  add(memory.resident, " resident");
  std::string text;
  if (!levels.empty()) text = fmt::format("  memory at its peak: {}\n", fmt::join(levels, ", "));
  for (const std::string& sentence : memory.sentences) text += "  • " + printable(sentence) + "\n";
  return text;
}

std::string hot_spots(const RunSummary& summary, const Style& style) {
  std::size_t function_width = 0;
  std::size_t place_width = 0;
  for (const auto& spot : summary.hot_spots) {
    function_width = std::max(function_width, display_width(spot.function));
    place_width = std::max(place_width, display_width(spot.place));
  }
  std::string text;
  for (const auto& spot : summary.hot_spots) {
    std::string line =
        fmt::format("{}  {}   {}", style.red(fmt::format("{:>4.0f} %", 100 * spot.share)),
                    padded(spot.function, function_width), padded(spot.place, place_width));
    if (spot.line != 0) {
      line += fmt::format("   hottest line {}", spot.line);
      const std::string source = shorten_back(printable(spot.source), kWidestSource);
      if (!source.empty()) line += ": " + source;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string rank_lines(const RunSummary& summary) {
  std::string text;
  for (const std::string& sentence : summary.rank_sentences) {
    text += "  • " + printable(sentence) + "\n";
  }
  return text;
}

// Functions give way to what is said of ranks.
std::size_t shown_rows(const RunSummary& summary) {
  if (summary.rank_sentences.empty()) return summary.rows.size();
  constexpr std::size_t kAlways = 4;  // the first line, the head of the table, the last two
  const std::size_t others = kAlways + summary.hot_spots.size() + summary.rank_sentences.size() +
                             summary.warnings.size() + (summary.idle_ranks.empty() ? 0 : 1);
  const std::size_t room = others < kMostLines ? kMostLines - others : 0;
  return std::min(summary.rows.size(), std::max(kLeastRows, room));
}

std::string rows(const RunSummary& summary, const Style& style) {
  if (summary.rows.empty()) return {};
  std::vector<TextTable::Column> columns = {{"self"}, {"total"}};
  if (summary.calls != 0) columns.push_back({"calls"});
  columns.push_back({"function", TextTable::Align::kLeft});
  columns.push_back({"where", TextTable::Align::kLeft});
  TextTable table(columns);
  for (const auto& row : std::span(summary.rows).first(shown_rows(summary))) {
    const bool is_native = row.kind == FunctionKind::kNative;
    std::vector<std::string> cells = {format_value(Unit::kNanoseconds, row.self),
                                      format_value(Unit::kNanoseconds, row.total)};
    if (summary.calls != 0) cells.push_back(format_count(row.calls));
    cells.push_back(row.function + (is_native ? " (native)" : ""));
    cells.push_back(row.called_from.empty() ? row.place : "called from " + row.called_from);
    table.add_row(cells);
  }
  return table.render(style);
}

// "   1,684 samples at 200 Hz, cost 0.3 %", or "   25,310 calls counted"
std::string measuring(const RunSummary& summary) {
  if (summary.samples == 0) {
    if (summary.calls == 0) return {};
    const std::string calls = fmt::format("   {} calls counted", format_count(summary.calls));
    return summary.cost ? fmt::format("{}, cost {}", calls, format_percent(*summary.cost)) : calls;
  }
  std::string text = "   " + format_count(summary.samples);
  text += summary.samples == 1 ? " sample" : " samples";
  if (summary.highest_rate != 0) {
    text += summary.lowest_rate == summary.highest_rate
                ? fmt::format(" at {} Hz", summary.highest_rate)
                : fmt::format(" at {} to {} Hz", summary.lowest_rate, summary.highest_rate);
  }
  if (summary.cost) text += fmt::format(", cost {}", format_percent(*summary.cost));
  if (summary.rejected != 0) text += fmt::format(", {} rejected", format_count(summary.rejected));
  if (summary.lost != 0) text += fmt::format(", {} lost", format_count(summary.lost));
  return text;
}

// What a derived file is, by its name; a rank may stand behind the ending.
std::string_view words_for(std::string_view file) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {".lprof", "line_profiler's format"},
      {".prof", "cProfile's format"},
      {".txt", "report"},
      {".svg", "graph"},
      {".png", "graph"},
      {".pdf", "graph"},
      {".dot", "graph"},
  };
  const std::string_view name = file.substr(file.rfind('/') + 1);
  for (const auto& [ending, words] : kWords) {
    const std::size_t at = name.rfind(ending);
    if (at != std::string_view::npos && name.find('.', at + 1) == std::string_view::npos) {
      return words;
    }
  }
  return "profile";  // in the format of another tool
}

std::string derived_files(const RunTraces& traces) {
  std::string text;
  for (const std::string& file : traces.files) {
    text += fmt::format("  {} in {}\n", words_for(file), printable(file));
  }
  return text;
}

}  // namespace

std::string run_summary_text(const RunSummary& summary, const RunTraces& traces, bool use_color) {
  const Style style(use_color);
  std::string text = first_line(summary, style) + hot_spots(summary, style);
  text += rows(summary, style);
  text += rank_lines(summary) + memory_lines(summary) + idle_ranks(summary, style);
  for (const std::string& warning : summary.warnings) {
    text += "  " + style.yellow("! " + printable(warning)) + "\n";
  }
  if (summary.lines_wanted && summary.line_hits > 0) {
    text += fmt::format("  lines of {} measured, {}\n",
                        format_plural(summary.line_functions, "function", "functions"),
                        format_plural(static_cast<std::size_t>(summary.line_hits), "hit", "hits"));
  } else if (summary.lines_wanted) {
    const std::string what =
        summary.lines_wanted->empty()
            ? "none of the program's own files ran Python code"
            : fmt::format("nothing that ran is named '{}'", printable(*summary.lines_wanted));
    text += "  " +
            style.yellow(fmt::format("! No line was measured: {}. Decorate functions with "
                                     "@profile, or name them with --lines=NAME.",
                                     what)) +
            "\n";
  }
  const std::string directory = printable(traces.directory);
  text += fmt::format("  recorded in {}{}\n", directory, measuring(summary));
  text += derived_files(traces);
  const bool has_lines = summary.lines_wanted && summary.line_hits > 0;
  const bool has_memory = summary.memory && summary.memory->has_owners;
  const char* next = has_memory  ? "pyrometer memory "
                     : has_lines ? "pyrometer lines "
                                 : "pyrometer view ";
  text += fmt::format("  next: {}\n", style.bold(next + directory));
  return text;
}

}  // namespace pyrometer
