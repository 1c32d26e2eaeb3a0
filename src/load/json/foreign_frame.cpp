#include "load/json/foreign_frame.h"

#include <algorithm>
#include <charconv>

#include "profile/module_path.h"

namespace pyrometer {
namespace {

// A whole text that is a line; 0 for anything else.
std::uint32_t parse_line(std::string_view text) {
  std::uint32_t line = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, line);
  return parsed.ec == std::errc() && parsed.ptr == end ? line : 0;
}

FunctionKind kind_of(std::string_view name, std::string_view file) {
  if (name.starts_with("<built-in") || name.starts_with("<method '")) return FunctionKind::kBuiltin;
  const std::string_view base = file.substr(file.rfind('/') + 1);
  // "libm.so.6" as well as "_umath.cpython-311-x86_64-linux-gnu.so".
  if (base.find(".so.") != std::string_view::npos) return FunctionKind::kNative;
  constexpr std::string_view kNativeEnds[] = {".so",  ".dylib", ".dll", ".c",  ".cc", ".cpp",
                                              ".cxx", ".h",     ".hpp", ".rs", ".S",  ".f90"};
  const bool is_native = std::any_of(std::begin(kNativeEnds), std::end(kNativeEnds),
                                     [&](std::string_view end) { return base.ends_with(end); });
  return is_native ? FunctionKind::kNative : FunctionKind::kPython;
}

}  // namespace

ForeignFrame split_place(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::uint32_t line = parse_line(text.substr(colon + 1));
  if (line == 0) return {};
  return {.name = {}, .file = text.substr(0, colon), .line = line};
}

ForeignFrame split_frame(std::string_view text) {
  const std::size_t bracket = text.find(" (");
  if (bracket != std::string_view::npos && bracket != 0 && text.ends_with(')')) {
    const std::string_view inside = text.substr(bracket + 2, text.size() - bracket - 3);
    constexpr std::string_view kInLibrary = "in ";
    ForeignFrame frame = split_place(inside);
    if (inside.starts_with(kInLibrary)) frame.file = inside.substr(kInLibrary.size());
    frame.name = text.substr(0, bracket);
    if (!frame.file.empty()) return frame;
  }
  const std::size_t behind = text.find("): ");
  const std::size_t before = behind == std::string_view::npos ? behind : text.rfind('(', behind);
  if (before != std::string_view::npos && before != 0) {
    const std::uint32_t line = parse_line(text.substr(before + 1, behind - before - 1));
    if (line != 0) {
      return {.name = text.substr(behind + 3), .file = text.substr(0, before), .line = line};
    }
  }
  return {.name = text, .file = {}, .line = 0};
}

ForeignFrame split_location(std::string_view text) {
  ForeignFrame frame = split_place(text);
  const std::size_t colon = frame.file.find(':');
  if (colon == std::string_view::npos) return {.name = text, .file = {}, .line = 0};
  frame.name = text.substr(0, colon);
  frame.file = frame.file.substr(colon + 1);
  return frame;
}

FunctionId foreign_function(ProfileBuilder& builder, std::string_view name, std::string_view file,
                            std::uint32_t first_line) {
  const FunctionKind kind = kind_of(name, file);
  const std::size_t dot = name.starts_with('<') ? std::string_view::npos : name.rfind('.');
  // "Solver.step" is a qualified name; "memcpy.part.0" is what a compiler makes of one.
  const bool is_qualified = kind == FunctionKind::kPython && dot != std::string_view::npos;
  return builder.function({.kind = kind,
                           .name = is_qualified ? name.substr(dot + 1) : name,
                           .qualified_name = name,
                           .file = file,
                           .short_file = module_relative(file, {}),
                           .first_line = first_line});
}

}  // namespace pyrometer
