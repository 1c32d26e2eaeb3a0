// What a shell may offer, taken from the description of the command line. One writer per shell
// makes its script of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace pyrometer {

struct CompletedOption {
  std::vector<std::string> names;  // "--limit", "-n"
  std::string description;         // in one line
  std::string value;               // what the help calls its value; empty: it has none
  bool needs_value = false;        // else a value can only follow a '='
  bool takes_file = false;
  std::vector<std::string> choices;  // of the value, where they are known
};

struct CompletedCommand {
  std::string name;
  std::string description;  // in one line
  std::vector<CompletedOption> options;
  std::string operand;                // what the help calls the words that are no options
  std::vector<std::string> words;     // of which it is one; none: a file
  bool operand_is_a_program = false;  // all words from there on are its own
};

struct CompletedLine {
  std::vector<CompletedOption> options;
  std::vector<CompletedCommand> commands;
};

CompletedLine describe_completion(const CommandLine& line);

std::string bash_completion(const CompletedLine& line);
std::string zsh_completion(const CompletedLine& line);
std::string fish_completion(const CompletedLine& line);

// As one word of any of these shells.
std::string quoted_for_shell(std::string_view text);

}  // namespace pyrometer
