// Which functions' lines are measured: what `pyrometer run --lines` was asked for.
//
//   module          all of a module          package.*       a package and everything in it
//   file.py         all of a file            file.py:name    a function or class in it
//   module.name     a function or class      name            the same, in the program's own files
//
// Without any: everything in the program's own files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyrometer {

struct CodePlace {
  std::string_view module;  // its name; of the main module __main__
  std::string_view file;
  std::string_view qualified_name;
  bool is_own = false;  // in the program's own files
};

class LineSelection {
 public:
  explicit LineSelection(std::vector<std::string> targets) : targets_(std::move(targets)) {}

  bool is_everything_own() const { return targets_.empty(); }
  void add(std::string target) { targets_.push_back(std::move(target)); }

  bool selects(const CodePlace& place) const;

 private:
  std::vector<std::string> targets_;
};

// Of `name` or something inside it: a method of the class, a function in the function.
bool is_or_is_in(std::string_view qualified_name, std::string_view name);

}  // namespace pyrometer
