// The man page, made from the description of the command line.
#include <algorithm>

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
    entry += " \\fI" + roff(type) + "\\fR";
  }
  return entry + "\n" + roff(option.get_description()) + "\n";
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string page = ".TH PYROMETER 1\n.SH NAME\npyrometer \\- " +
                     roff("tells where Python programs run hot") +
                     "\n.SH SYNOPSIS\n.B pyrometer\n.I COMMAND\n[options] ...\n.SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) page += option_entry(*option);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    page += ".SS pyrometer " + roff(command->get_name()) + "\n" + roff(command->get_description()) +
            "\n";
    for (const CLI::Option* option : command->get_options()) page += option_entry(*option);
  }
  page +=
      ".SH EXIT STATUS\n0 when all went well, 2 for wrong usage, 1 for everything else.\n"
      "\\fBpyrometer run\\fR has the status of its program and dies by the same signal; 127 when "
      "there "
      "is no such program, 126 when it cannot be started.\n"
      ".SH ENVIRONMENT\n.TP\nNO_COLOR\nNo colours, even on a terminal.\n.TP\nFORCE_COLOR\n"
      "Colours, even without a terminal.\n";
  return page;
}

void add_manual_command(CommandLine& line) {
  CLI::App& command =
      *line.app.add_subcommand("manual", "Print the man page: pyrometer manual | man -l -");
  command.callback(
      [&line] { line.action = [&line] { return write_to_stdout(manual_page(line.app)); }; });
}

}  // namespace pyrometer
