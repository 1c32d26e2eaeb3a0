// The command line as one description: help, parsing, shell completion and the man page
// all come from it. A command is one file here and one line in command_line.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "cli/run_command_line.h"

namespace pyrometer {

// What the chosen command does once the whole command line is known to be sound.
using Action = std::function<Result<void>()>;

struct CommandLine {
  CLI::App app;
  Action action;
  std::vector<std::string> program;  // what `run` starts, with its arguments: no words of ours
  int status = 0;                    // of the process when the action went well
  // Of options whose values are words that we know, for completion.
  std::map<const CLI::Option*, std::vector<std::string>> choices;
};

// With the one command that is named, as describing them all takes milliseconds; with all of them
// where it is none of ours.
std::unique_ptr<CommandLine> make_command_line(std::string_view command = {});

void add_run_command(CommandLine& line);
void add_view_command(CommandLine& line);
void add_report_command(CommandLine& line);
void add_lines_command(CommandLine& line);
void add_memory_command(CommandLine& line);
void add_export_command(CommandLine& line);
void add_diff_command(CommandLine& line);
void add_scale_command(CommandLine& line);
void add_ranks_command(CommandLine& line);
void add_graph_command(CommandLine& line);
void add_merge_command(CommandLine& line);
void add_dump_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_manual_command(CommandLine& line);

// Only these words may be the option's value, or none where it is optional; completion offers them.
void allow_only(CommandLine& line, CLI::Option* option, const std::vector<std::string>& words);

// Standard input as a profile, standard output as a file.
inline constexpr std::string_view kStandardStream = "-";

// What help calls the program of `run`.
inline constexpr const char* kProgramOperand = "PROGRAM";

// The positional PROFILE... that most commands share.
CLI::Option* add_profiles(CLI::App& command, std::vector<std::string>& names);
// The paths that they name; wildcards that the shell has left are filled in, and "-" is what comes
// from standard input.
Result<std::vector<Path>> find_profiles(const std::vector<std::string>& names);

// From the description of the command line.
std::string manual_page(const CLI::App& app);

}  // namespace pyrometer
