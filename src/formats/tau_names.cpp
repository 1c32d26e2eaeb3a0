#include "formats/tau_names.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "formats/table_text.h"

namespace pyrometer {
namespace {

constexpr std::string_view kArrow = "=>";
constexpr std::pair<std::string_view, TauFrameKind> kMarks[] = {
    {"[CONTEXT] ", TauFrameKind::kContext},
    {"[INTERMEDIATE] ", TauFrameKind::kContext},  // its name in older versions
    {"[SUMMARY] ", TauFrameKind::kSummary},
    {"[SAMPLE] ", TauFrameKind::kSample},
    {"[UNWIND] ", TauFrameKind::kUnwind},
};

// "[{wave.py} {12,1}-{20,1}]" or "[{wave.py}{12}]": the file and the first line.
void read_source(std::string_view source, TauFrame& frame) {
  const std::size_t end = source.find('}');
  if (end == std::string_view::npos) return;
  frame.file = source.substr(0, end);
  const std::size_t line = source.find('{', end);
  if (line == std::string_view::npos) return;
  std::from_chars(source.data() + line + 1, source.data() + source.size(), frame.line);
}

}  // namespace

TauFrame parse_tau_frame(std::string_view text) {
  TauFrame frame;
  text = trimmed(text);
  for (const auto& [mark, kind] : kMarks) {
    if (!text.starts_with(mark)) continue;
    frame.kind = kind;
    text = trimmed(text.substr(mark.size()));
    break;
  }
  // "[UNWIND] /src/main.c.23 [@] solve [{/src/solve.c} {7}]": called from there.
  constexpr std::string_view kCalledFrom = " [@] ";
  if (const std::size_t at = text.find(kCalledFrom); at != std::string_view::npos) {
    text = trimmed(text.substr(at + kCalledFrom.size()));
  }
  constexpr std::string_view kSource = "[{";
  frame.name = text;
  if (const std::size_t at = text.find(kSource); at != std::string_view::npos) {
    read_source(text.substr(at + kSource.size()), frame);
    frame.name = trimmed(text.substr(0, at));
  }
  if (frame.name.ends_with(" C")) frame.name = trimmed(frame.name.substr(0, frame.name.size() - 2));
  if (frame.name.empty()) frame.name = text;
  return frame;
}

std::vector<std::string_view> split_tau_path(std::string_view name) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = name.find(kArrow); at != std::string_view::npos;
       at = name.find(kArrow, at + kArrow.size())) {
    const bool is_apart = at > begin && name[at - 1] == ' ' && name.substr(at + 2).starts_with(' ');
    if (!is_apart) continue;
    parts.push_back(trimmed(name.substr(begin, at - begin)));
    begin = at + kArrow.size();
  }
  parts.push_back(trimmed(name.substr(begin)));
  return parts;
}

}  // namespace pyrometer
