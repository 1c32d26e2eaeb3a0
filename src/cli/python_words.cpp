#include "cli/python_words.h"

#include "base/file.h"

namespace pyrometer {
namespace {

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& argv) : argv_(argv) {}

  PythonWords read() {
    while (++at_ < argv_.size()) {
      const std::string& word = argv_[at_];
      if (word == "--") {
        words_.name = next_word().empty() ? "" : script_name(argv_[at_]);
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        words_.name = script_name(word);
        break;
      }
      if (!word.starts_with("--") && !read_letters(word)) break;
    }
    return words_;
  }

 private:
  std::string next_word() { return ++at_ < argv_.size() ? argv_[at_] : ""; }

  // "-uE": whether options go on behind this word.
  bool read_letters(const std::string& word) {
    for (std::size_t letter = 1; letter < word.size(); ++letter) {
      const std::string rest = word.substr(letter + 1);
      switch (word[letter]) {
        case 'I':
        case 'E':
        case 'S':
          if (words_.isolating_option.empty()) words_.isolating_option = {'-', word[letter]};
          break;
        case 'c': words_.name = kNameOfCode; return false;
        case 'm': words_.name = rest.empty() ? next_word() : rest; return false;
        case 'W':
        case 'X':
          if (rest.empty()) next_word();
          return true;
        default: break;
      }
    }
    return true;
  }

  const std::vector<std::string>& argv_;
  std::size_t at_ = 0;
  PythonWords words_;
};

}  // namespace

std::optional<PythonWords> read_python_words(const std::vector<std::string>& argv) {
  if (!Path(argv[0]).filename().string().starts_with("python")) return std::nullopt;
  return Reader(argv).read();
}

std::string script_name(const std::string& script) {
  if (script == "-") return "stdin";
  Path path(script);
  if (!path.has_filename() || path.filename() == "." || path.filename() == "..") {
    std::error_code ignored;
    path = std::filesystem::weakly_canonical(path, ignored);
    if (!path.has_filename()) path = path.parent_path();
  }
  return path.stem().string();
}

}  // namespace pyrometer
