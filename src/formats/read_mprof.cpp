#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "formats/mprof_file.h"
#include "formats/table_text.h"

namespace pyrometer {
namespace {

constexpr double kMiB = 1048576;
constexpr double kMostBytes = 1e15;
constexpr double kMostSeconds = 9e9;  // the year 2255: all that nanoseconds in 64 bits reach

std::int64_t bytes(double mebibytes) {
  return std::llround(std::clamp(mebibytes * kMiB, -kMostBytes, kMostBytes));
}

std::int64_t nanoseconds(double seconds) {
  // Whole seconds apart: a double has no room for nanoseconds since 1970.
  const double clamped = std::clamp(seconds, 0.0, kMostSeconds);
  const double whole = std::floor(clamped);
  return std::llround(whole) * 1'000'000'000 + std::llround((clamped - whole) * 1e6) * 1000;
}

std::optional<MprofPoint> read_point(std::string_view& rest) {
  const auto memory = parse_number(next_word(rest));
  const auto seconds = parse_number(next_word(rest));
  if (!memory || !seconds) return std::nullopt;
  return MprofPoint{nanoseconds(*seconds), bytes(*memory)};
}

std::optional<MprofCall> read_call(std::string_view& rest) {
  MprofCall call;
  call.name = next_word(rest);
  const auto before = read_point(rest);
  const auto after = read_point(rest);
  if (call.name.empty() || !before || !after) return std::nullopt;
  call.before = *before;
  call.after = *after;
  call.level = parse_line_number(next_word(rest)).value_or(0);
  return call;
}

std::optional<std::uint64_t> read_number(std::string_view word) {
  const auto number = parse_number(word);
  if (!number || *number < 0 || *number > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

class Reader {
 public:
  // False for a line that is none of this format.
  bool add(std::string_view line) {
    const std::string_view kind = next_word(line);
    if (kind == "MEM") {
      const auto point = read_point(line);
      if (point) file_.points.push_back(*point);
      return point.has_value();
    }
    if (kind == "CHLD") {
      const auto number = read_number(next_word(line));
      const auto point = read_point(line);
      if (!number || !point) return false;
      const auto [found, is_new] = children_.try_emplace(*number, file_.children.size());
      if (is_new) file_.children.push_back({*number, {}});
      file_.children[found->second].points.push_back(*point);
      return true;
    }
    if (kind == "FUNC") {
      auto call = read_call(line);
      if (!call) return false;
      file_.calls.push_back(*std::move(call));
      return true;
    }
    if (kind == "CMDLINE") file_.command_line = trimmed(line);
    return true;
  }

  MprofFile take() { return std::move(file_); }

 private:
  MprofFile file_;
  std::map<std::uint64_t, std::size_t> children_;
};

}  // namespace

Result<MprofFile> read_mprof(std::string_view text) {
  Reader reader;
  TextLines lines(text);
  std::size_t number = 0;
  for (std::string_view line; lines.next(line);) {
    ++number;
    if (reader.add(line)) continue;
    // The last line of a program that was killed may be cut.
    if (lines.at_end() && !text.ends_with('\n')) break;
    return fail(ErrorCode::kCorrupt, "line {} is none that mprof writes", number);
  }
  MprofFile file = reader.take();
  if (file.points.empty() && file.children.empty() && file.calls.empty()) {
    return fail(ErrorCode::kCorrupt,
                "mprof measured nothing; the program ended before the first interval, so choose a "
                "shorter one with 'mprof run -T'");
  }
  return file;
}

bool looks_like_mprof(std::string_view prefix) {
  TextLines lines(prefix);
  std::string_view line;
  if (!lines.next(line)) return false;
  std::string_view rest = line;
  const std::string_view kind = next_word(rest);
  if (line.starts_with(' ')) return false;
  if (kind == "CMDLINE") return true;
  const bool is_measurement = kind == "MEM" || kind == "CHLD" || kind == "FUNC";
  return is_measurement && Reader().add(line);
}

}  // namespace pyrometer
