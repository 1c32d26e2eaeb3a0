#include "analyze/module_name.h"

#include <algorithm>

#include "analyze/names.h"

namespace pyrometer {
namespace {

bool cut_front(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

bool cut_back(std::string_view& text, std::string_view back) {
  if (!text.ends_with(back)) return false;
  text.remove_suffix(back.size());
  return true;
}

// "numpy/linalg/_linalg.py", "<frozen importlib._bootstrap>", "<string>", "/home/a/b.py"
std::string module_of_file(std::string_view file) {
  if (cut_front(file, "<frozen ")) {
    cut_back(file, ">");
    return std::string(file);
  }
  if (file.starts_with('<')) return std::string(file);
  // A file that is on no search path is a module by its own name only.
  if (file.starts_with('/')) file.remove_prefix(file.rfind('/') + 1);
  for (const std::string_view extension : {".py", ".pyw", ".pyx"}) {
    if (cut_back(file, extension)) break;
  }
  cut_back(file, "/__init__");
  std::string module(file);
  std::replace(module.begin(), module.end(), '/', '.');
  return module;
}

// cProfile's names: "<built-in method numpy.array>", "<method 'append' of 'list' objects>".
std::string module_of_builtin(std::string_view name) {
  std::string_view owner;
  if (cut_front(name, "<built-in method ")) {
    owner = name;
  } else if (const std::size_t of = name.find(" of '"); of != std::string_view::npos) {
    owner = name.substr(of + 5);
    owner = owner.substr(0, owner.find('\''));
  }
  const std::size_t dot = owner.rfind('.');
  return dot == std::string_view::npos ? "builtins" : std::string(owner.substr(0, dot));
}

// What follows ".../site-packages/" up to the next slash; empty elsewhere.
std::string_view installed_package(std::string_view path) {
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t found = path.rfind(folder);
    if (found == std::string_view::npos) continue;
    std::string_view package = path.substr(found + folder.size());
    package = package.substr(0, package.find('/'));
    cut_back(package, ".libs");  // where wheels keep the libraries that they bring
    return package.substr(0, package.find('.'));
  }
  return {};
}

}  // namespace

std::string module_name(const Profile& profile, const Function& function) {
  switch (function.kind) {
    case FunctionKind::kPython: {
      const std::string_view file = profile.text(function.short_file);
      return file.empty() ? "(unknown)" : module_of_file(file);
    }
    case FunctionKind::kBuiltin: return module_of_builtin(profile.text(function.name));
    case FunctionKind::kNative:
    case FunctionKind::kRegion:
    case FunctionKind::kLabel: break;
  }
  return std::string(display_name(profile, function));
}

std::string package_name(const Profile& profile, const Function& function) {
  if (function.kind == FunctionKind::kNative) {
    const std::string_view package = installed_package(profile.text(function.file));
    return package.empty() ? module_name(profile, function) : std::string(package);
  }
  const std::string module = module_name(profile, function);
  const bool is_code =
      function.kind != FunctionKind::kLabel && function.kind != FunctionKind::kRegion;
  return is_code ? module.substr(0, module.find('.')) : module;
}

}  // namespace pyrometer
