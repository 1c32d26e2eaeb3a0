#include "collect/own_files.h"

#include <algorithm>
#include <filesystem>

#include "base/normal_path.h"
#include "cpython/python_api.h"
#include "cpython/python_text.h"

namespace pyrometer {
namespace {

namespace fs = std::filesystem;

std::string first_argument() {
  PyObject* arguments = PySys_GetObject("argv");  // borrowed
  if (arguments == nullptr || PyList_Check(arguments) == 0 || PyList_Size(arguments) == 0)
    return {};
  return text_of(PyList_GetItem(arguments, 0));
}

std::string folder_of_library() {
  PyObject* prefix = PySys_GetObject("base_prefix");  // borrowed
  PyObject* library = PySys_GetObject("platlibdir");  // borrowed
  if (prefix == nullptr || library == nullptr) return {};
  return text_of(prefix) + "/" + text_of(library) + "/python";
}

bool is_installed(const std::string& path) {
  return path.find("/site-packages/") != std::string::npos ||
         path.find("/dist-packages/") != std::string::npos;
}

}  // namespace

OwnFiles OwnFiles::of_this_process() {
  OwnFiles own;
  std::error_code error;
  own.current_folder_ = fs::current_path(error).string();
  own.library_ = folder_of_library();
  const std::string program = first_argument();
  if (program == "-c") {
    own.main_file_ = "<string>";
  } else if (program.empty() || program == "-") {
    own.main_file_ = "<stdin>";
  } else if (program != "-m") {
    own.main_file_ = own.absolute(program);
  }
  const fs::path folder = fs::path(own.main_file_).parent_path();
  // A command that was installed works for the files where it is called.
  const bool is_command = folder.filename() == "bin" || folder.empty();
  own.roots_.push_back(is_command ? own.current_folder_ : folder.string());
  return own;
}

void OwnFiles::add_main_module(const std::string& file, const std::string& name) {
  if (file.empty() || file.front() == '<') return;
  fs::path folder = fs::path(absolute(file)).parent_path();
  // A package's own files are all of it.
  for (auto dots = std::count(name.begin(), name.end(), '.'); dots > 0; --dots) {
    folder = folder.parent_path();
  }
  roots_.push_back(folder.string());
}

std::string OwnFiles::absolute(const std::string& file) const {
  const bool is_relative = !file.empty() && file.front() != '/' && file.front() != '<';
  return normal_path(is_relative ? current_folder_ + "/" + file : file);
}

bool OwnFiles::contains(const std::string& file) const {
  const std::string path = absolute(file);
  if (!main_file_.empty() && path == main_file_) return true;
  if (path.empty() || path.front() == '<' || is_installed(path)) return false;
  if (!library_.empty() && path.starts_with(library_)) return false;
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
    return root == "/" ||
           (path.starts_with(root) && path.size() > root.size() && path[root.size()] == '/');
  });
}

}  // namespace pyrometer
