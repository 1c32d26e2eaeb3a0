#include "formats/collapsed_frame.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace pyrometer {
namespace {

using Role = CollapsedFrame::Role;
constexpr auto kNowhere = std::string_view::npos;

// The number that `text` is, whole.
template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// "0x7F12", "1234"
std::optional<std::uint64_t> thread_number(std::string_view text) {
  if (text.starts_with("0x")) return number<std::uint64_t>(text.substr(2), 16);
  return number<std::uint64_t>(text);
}

bool is_python_file(std::string_view file) {
  constexpr std::array kEndings = {std::string_view(".py"), std::string_view(".pyx"),
                                   std::string_view(".pyw"), std::string_view(".ipynb")};
  return (file.starts_with('<') && file.ends_with('>')) ||
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

FunctionKind kind_of(std::string_view file) {
  return is_python_file(file) ? FunctionKind::kPython : FunctionKind::kNative;
}

// py-spy: process 12:"python run.py"
std::optional<CollapsedFrame> process_frame(std::string_view text) {
  constexpr std::string_view kBegin = "process ";
  const std::size_t quote = text.find(":\"");
  if (!text.starts_with(kBegin) || quote == kNowhere) return {};
  const auto pid = number<std::uint64_t>(text.substr(kBegin.size(), quote - kBegin.size()));
  if (!pid) return {};
  std::string_view command = text.substr(quote + 2);
  const bool is_open = !command.ends_with('"');
  if (!is_open) command.remove_suffix(1);
  return CollapsedFrame{.role = Role::kProcess, .name = command, .pid = *pid, .is_open = is_open};
}

// py-spy: thread (0x7F12): name, or thread (12)
std::optional<CollapsedFrame> thread_frame(std::string_view text) {
  constexpr std::string_view kBegin = "thread (";
  const std::size_t end = text.find(')');
  if (!text.starts_with(kBegin) || end == kNowhere) return {};
  const auto tid = thread_number(text.substr(kBegin.size(), end - kBegin.size()));
  const std::string_view rest = text.substr(end + 1);
  if (!tid || !(rest.empty() || rest.starts_with(": "))) return {};
  return CollapsedFrame{
      .role = Role::kThread, .name = rest.substr(rest.empty() ? 0 : 2), .tid = *tid};
}

// Python 3.15: tid:12
std::optional<CollapsedFrame> python_thread_frame(std::string_view text) {
  if (!text.starts_with("tid:")) return {};
  const auto tid = number<std::uint64_t>(text.substr(4));
  if (!tid) return {};
  return CollapsedFrame{.role = Role::kThread, .tid = *tid};
}

// async-profiler: [name tid=12]
std::optional<CollapsedFrame> java_thread_frame(std::string_view text) {
  const std::size_t mark = text.find("tid=");
  if (!text.starts_with('[') || !text.ends_with(']') || mark == kNowhere) return {};
  const auto tid = number<std::uint64_t>(text.substr(mark + 4, text.size() - mark - 5));
  if (!tid) return {};
  std::string_view name = text.substr(1, mark - 1);
  if (name.ends_with(' ')) name.remove_suffix(1);
  return CollapsedFrame{.role = Role::kThread, .name = name, .tid = *tid};
}

// stackcollapse-perf --tid: comm-12/13
std::optional<CollapsedFrame> perf_thread_frame(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const std::size_t dash = text.rfind('-', slash);
  if (slash == kNowhere || dash == kNowhere || dash == 0) return {};
  const auto pid = number<std::uint64_t>(text.substr(dash + 1, slash - dash - 1));
  const auto tid = number<std::uint64_t>(text.substr(slash + 1));
  if (!pid || !tid) return {};
  return CollapsedFrame{
      .role = Role::kThread, .name = text.substr(0, dash), .pid = *pid, .tid = *tid};
}

// austin: P12, T0:13 (interpreter and thread), L7, :GC:
std::optional<CollapsedFrame> austin_frame(std::string_view text) {
  if (text == ":GC:" || text == ":INVALID:" || text == "::") {
    const std::string_view name = text == ":GC:" ? "garbage collection" : "invalid frame";
    return CollapsedFrame{.kind = FunctionKind::kLabel, .name = name};
  }
  if (text.size() < 2) return {};
  const std::string_view rest = text.substr(1);
  switch (text.front()) {
    case 'P':
      if (const auto pid = number<std::uint64_t>(rest)) {
        return CollapsedFrame{.role = Role::kProcess, .pid = *pid};
      }
      return {};
    case 'T':
      if (const auto tid = thread_number(rest.substr(rest.find(':') + 1))) {
        return CollapsedFrame{.role = Role::kThread, .tid = *tid};
      }
      return {};
    case 'L':
      if (const auto line = number<std::uint32_t>(rest)) {
        return CollapsedFrame{.role = Role::kLine, .line = *line};
      }
      return {};
    default: return {};
  }
}

// py-spy and ours: name (file:line), name (file)
std::optional<CollapsedFrame> name_and_place(std::string_view text) {
  const std::size_t open = text.rfind(" (");
  if (!text.ends_with(')') || open == kNowhere || open == 0) return {};
  std::string_view file = text.substr(open + 2, text.size() - open - 3);
  std::uint32_t line = 0;
  if (const std::size_t colon = file.rfind(':'); colon != kNowhere) {
    if (const auto said = number<std::uint32_t>(file.substr(colon + 1))) {
      line = *said;
      file = file.substr(0, colon);
    }
  }
  // "(inlined)", "(deleted)" are no files.
  const bool is_file = line != 0 || file.find_first_of("./<") != kNowhere;
  if (file.empty() || !is_file) return {};
  return CollapsedFrame{
      .kind = kind_of(file), .name = text.substr(0, open), .file = file, .line = line};
}

// austin and Python 3.15: file:function:line; austin -a: file:function
std::optional<CollapsedFrame> place_and_name(std::string_view text, bool is_austin) {
  std::uint32_t line = 0;
  std::string_view rest = text;
  const std::size_t last = text.rfind(':');
  if (last == kNowhere) return {};
  if (const auto said = number<std::uint32_t>(text.substr(last + 1))) {
    line = *said;
    rest = text.substr(0, last);
  } else if (!is_austin) {
    return {};
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == kNowhere || colon == 0 || colon + 1 == rest.size()) return {};
  const std::string_view file = rest.substr(0, colon);
  if (!is_austin && !is_python_file(file)) return {};
  // austinp's native frames have libraries for files.
  const bool is_native = file.find(".so") != kNowhere && !is_python_file(file);
  return CollapsedFrame{.kind = is_native ? FunctionKind::kNative : FunctionKind::kPython,
                        .name = rest.substr(colon + 1),
                        .file = file,
                        .line = line};
}

// perf with Python's trampolines: py::function:file
std::optional<CollapsedFrame> trampoline_frame(std::string_view text) {
  if (!text.starts_with("py::")) return {};
  const std::string_view rest = text.substr(4);
  const std::size_t colon = rest.find(':');
  if (colon == kNowhere || colon == 0) return {};
  return CollapsedFrame{
      .kind = FunctionKind::kPython, .name = rest.substr(0, colon), .file = rest.substr(colon + 1)};
}

// perf and async-profiler mark kernel, inlined, compiled and interpreted code: name_[k]
std::string_view without_mark(std::string_view text) {
  const bool has_mark = text.size() > 4 && text.ends_with(']') && text[text.size() - 3] == '[' &&
                        text[text.size() - 4] == '_';
  return has_mark ? text.substr(0, text.size() - 4) : text;
}

}  // namespace

CollapsedFrame parse_collapsed_frame(std::string_view text, bool is_austin) {
  if (is_austin) {
    if (const auto frame = austin_frame(text)) return *frame;
  }
  for (const auto parse : {process_frame, thread_frame, python_thread_frame, java_thread_frame,
                           perf_thread_frame, trampoline_frame, name_and_place}) {
    if (const auto frame = parse(text)) return *frame;
  }
  if (const auto frame = place_and_name(text, is_austin)) return *frame;
  return {.name = without_mark(text)};
}

}  // namespace pyrometer
