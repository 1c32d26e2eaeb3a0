// What the words of an interpreter's command line say: "python3 -u wave.py -n 5".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pyrometer {

struct PythonWords {
  // The option that makes it ignore PYTHONPATH or sitecustomize, and with that us: "-I"; empty
  // without one.
  std::string isolating_option;
  std::string name;  // what it runs, as runs are named after it: "wave"; empty: nothing
};

// Nothing where another program is started.
std::optional<PythonWords> read_python_words(const std::vector<std::string>& argv);

// "wave" of "dir/wave.py", "app" of "dir/app/", the folder's name of "."
std::string script_name(const std::string& script);
inline constexpr const char* kNameOfCode = "code";

}  // namespace pyrometer
