// Which files are the program's own, rather than Python's or installed ones.
#pragma once

#include <string>
#include <vector>

namespace pyrometer {

class OwnFiles {
 public:
  // From the command line that started Python. Needs the GIL.
  static OwnFiles of_this_process();

  // The file of a module that is run with -m, once it is known.
  void add_main_module(const std::string& file, const std::string& name);

  bool contains(const std::string& file) const;

  // What the code of the main module says where it is from; empty when a Python module finds and
  // runs it (-m).
  const std::string& main_file() const { return main_file_; }

  // The full path, for files that are named from the current folder.
  std::string absolute(const std::string& file) const;

 private:
  std::string current_folder_, main_file_, library_;
  std::vector<std::string> roots_;
};

}  // namespace pyrometer
