// What `pyrometer run` starts: a script, module or piece of code by Python, or any program.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct RunTarget {
  std::vector<std::string> argv;  // for exec
  std::string name;               // for the run's directory: "wave", "pkg.tool", "code", "pytest"
  bool is_python = false;         // we chose the interpreter
};

// How many of the words, "pyrometer" and "run" included, are ours. All from the script or
// program on belong to it, however much they look like options of ours.
std::size_t count_own_words(const CLI::App& app, std::span<const char* const> words);

// The first of our words that is an option of Python and none of ours: "-u"; empty without one.
std::string_view option_of_python(std::span<const char* const> own_words);

// `words` begin with a script, "-m", "-c", "--" or a program.
Result<RunTarget> resolve_target(std::vector<std::string> words, const std::string& python);

}  // namespace pyrometer
