// The man page, made from the description of the command line.
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/terminal.h"

namespace pyrometer {
namespace {

// roff reads '-' as a hyphen, '\' as its own escape and a leading '.' or ''' as a request.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool starts_line = escaped.empty() || escaped.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '-') {
      escaped += "\\-";
    } else if (c == '\\') {
      escaped += "\\e";
    } else {
      escaped += c;
      if (c == '\n') escaped.insert(escaped.size(), ".br\n");
    }
  }
  return escaped;
}

std::string option_entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "--" : ", --") + name;
  const bool is_positional = names.empty();
  if (is_positional) names = option.get_name();
  const std::string type = option.get_type_name();
  std::string entry = ".TP\n\\fB" + roff(names) + "\\fR";
  if (!is_positional && !type.empty() && option.get_expected_max() > 0) {
    const bool is_optional = type.starts_with('=');  // "--memory=HOW"
    entry += (is_optional ? "\\fI" : " \\fI") + roff(type) + "\\fR";
  }
  return entry + "\n" + roff(option.get_description()) + "\n";
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// "pyrometer report [options] PROFILE ...", of each command.
std::string synopsis(const CLI::App& app) {
  std::string text = ".SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(app)) {
    text += ".B pyrometer " + roff(command->get_name()) + "\n[options]";
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) continue;
      text += " \\fI" + roff(option->get_name()) + "\\fR";
      if (option->get_expected_max() > 1) text += " ...";
    }
    text += "\n.br\n";
  }
  return text;
}

constexpr const char* kDescription =
    ".SH DESCRIPTION\n"
    "Records where Python programs spend time and memory, without a change to the program, and "
    "tells it: in words, as tables, line by line, rank by rank, in a browser, or as files for "
    "other tools. A profile is a run directory, a recording, a merged file, or a file of another "
    "profiler; what it is follows from its content.\n";

constexpr const char* kEnd =
    ".SH EXIT STATUS\n0 when all went well, 2 for wrong usage, 3 for what \\-\\-fail\\-above "
    "refuses, 1 for everything else.\n"
    "\\fBpyrometer run\\fR has the status of its program and dies by the same signal; 127 when "
    "there is no such program, 126 when it cannot be started.\n"
    ".SH ENVIRONMENT\n.TP\nNO_COLOR\nNo colours, even on a terminal.\n.TP\nFORCE_COLOR\n"
    "Colours, even without a terminal.\n"
    ".SH EXAMPLES\n"
    ".nf\npyrometer run script.py\npyrometer view pyrometer\\-script\\-1\n"
    "mpirun \\-n 64 pyrometer run solver.py\npyrometer report out.prof \\-\\-tree\n.fi\n"
    ".SH SEE ALSO\n"
    ".BR python3 (1),\n.BR mpirun (1)\n";

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string page = fmt::format(".TH PYROMETER 1 \"\" \"{}\" \"User Commands\"\n", app.version());
  page += ".SH NAME\npyrometer \\- " + roff("tells where Python programs run hot") + "\n";
  page += synopsis(app) + kDescription + ".SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) page += option_entry(*option);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    page += ".SS pyrometer " + roff(command->get_name()) + "\n" + roff(command->get_description()) +
            "\n";
    for (const CLI::Option* option : command->get_options()) page += option_entry(*option);
  }
  return page + kEnd;
}

void add_manual_command(CommandLine& line) {
  CLI::App& command =
      *line.app.add_subcommand("manual", "Print the man page: pyrometer manual | man -l -");
  command.callback([&line] {
    line.action = [] { return write_to_stdout(manual_page(make_command_line()->app)); };
  });
}

}  // namespace pyrometer
