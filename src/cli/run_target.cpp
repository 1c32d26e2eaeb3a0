#include "cli/run_target.h"

#include "base/file.h"
#include "cli/python_words.h"

namespace pyrometer {
namespace {

namespace fs = std::filesystem;

bool takes_value(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option != nullptr && option->get_expected_min() > 0;
}

// Whether the value of an option is the next word: "-o", "-qo", "--rate", not "-oX", "--rate=9".
bool value_is_next_word(const CLI::App& command, std::string_view word) {
  if (word.starts_with("--")) {
    return word.find('=') == std::string_view::npos && takes_value(command, std::string(word));
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (takes_value(command, std::string("-") + word[i])) return i + 1 == word.size();
  }
  return false;
}

bool begins_program(std::string_view word) {
  return !word.starts_with('-') || word == "-" || word == "--" || word.starts_with("-c") ||
         word.starts_with("-m");
}

bool is_executable(const fs::file_status& status) {
  using fs::perms;
  return (status.permissions() & (perms::owner_exec | perms::group_exec | perms::others_exec)) !=
         perms::none;
}

// Scripts, and what Python runs like one: a folder or a zip archive with a __main__.py.
bool is_for_python(const std::string& word) {
  if (word == "-") return true;  // the script is on standard input
  for (const char* ending : {".py", ".pyw", ".pyz"}) {
    if (word.ends_with(ending)) return true;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(word, ignored);
  if (fs::is_directory(status)) {
    // Python says what is missing; but a folder may be named as a program on PATH is.
    return word.find('/') != std::string::npos || fs::exists(Path(word) / "__main__.py", ignored) ||
           fs::exists(Path(word) / "__main__.pyc", ignored);
  }
  if (fs::is_fifo(status) || fs::is_character_file(status)) return true;  // `<(echo code)`
  if (!fs::is_regular_file(status)) return false;
  constexpr std::string_view kZip = "PK\x03\x04";
  return !is_executable(status) || read_prefix(word, kZip.size()).value_or("") == kZip;
}

Result<RunTarget> resolve_python_option(const std::vector<std::string>& words,
                                        const std::string& python) {
  const bool is_module = words[0].starts_with("-m");
  const bool is_joined = words[0].size() > 2;  // "-mtimeit"
  if (!is_joined && words.size() < 2) {
    return fail(ErrorCode::kUsage, "{} needs {} after it; see 'pyrometer run --help'", words[0],
                is_module ? "a module" : "code");
  }
  const std::string module = is_joined ? words[0].substr(2) : words[1];
  return RunTarget{.argv = {python}, .name = is_module ? module : kNameOfCode, .is_python = true};
}

}  // namespace

std::size_t count_own_words(const CLI::App& app, std::span<const char* const> words) {
  constexpr std::string_view kCommand = "run";
  if (words.size() < 2 || words[1] != kCommand) return words.size();
  const CLI::App& command = *app.get_subcommand(std::string(kCommand));
  std::size_t own = 2;
  while (own < words.size() && !begins_program(words[own])) {
    own += value_is_next_word(command, words[own]) ? 2 : 1;
  }
  return std::min(own, words.size());
}

std::string_view option_of_python(std::span<const char* const> own_words) {
  constexpr std::string_view kLetters = "bBdEiIOPRsSuvWxX";
  for (const std::string_view word : own_words) {
    const bool is_short = word.size() > 1 && word[0] == '-';
    if (is_short && kLetters.find(word[1]) != std::string_view::npos) return word;
  }
  return {};
}

Result<RunTarget> resolve_target(std::vector<std::string> words, const std::string& python) {
  const bool is_surely_program = !words.empty() && words[0] == "--";
  if (is_surely_program) words.erase(words.begin());
  if (words.empty() || words[0].empty()) {
    return fail(ErrorCode::kUsage,
                "no program given; 'pyrometer run script.py' runs one, see 'pyrometer run --help'");
  }
  RunTarget target;
  const std::string& first = words[0];
  const bool is_option = first.size() > 1 && first[0] == '-';
  if (is_surely_program || (!is_option && !is_for_python(first))) {
    const auto python_words = read_python_words(words);
    const bool says_what = python_words && !python_words->name.empty();
    target.name = says_what ? python_words->name : Path(first).filename().string();
  } else if (is_option) {
    PYROMETER_TRY(target, resolve_python_option(words, python));
  } else {
    target = {.argv = {python}, .name = script_name(first), .is_python = true};
  }
  target.argv.insert(target.argv.end(), words.begin(), words.end());
  return target;
}

}  // namespace pyrometer
