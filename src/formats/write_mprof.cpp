#include <fmt/format.h>

#include "formats/mprof_file.h"

namespace pyrometer {
namespace {

constexpr double kMiB = 1048576;

// "20.5078 1794782526.6956", with as many digits as mprof gives.
std::string point_text(const MprofPoint& point) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kDigit = 100'000;  // four behind the point
  const std::int64_t rounded = (point.time + kDigit / 2) / kDigit * kDigit;
  return fmt::format("{:.6f} {}.{:04}", static_cast<double>(point.memory) / kMiB, rounded / kSecond,
                     rounded % kSecond / kDigit);
}

}  // namespace

std::string write_mprof(const MprofFile& file) {
  std::string out;
  if (!file.command_line.empty()) out += fmt::format("CMDLINE {}\n", file.command_line);
  for (const MprofCall& call : file.calls) {
    out += fmt::format("FUNC {} {} {} {}\n", call.name, point_text(call.before),
                       point_text(call.after), call.level);
  }
  for (const MprofPoint& point : file.points) out += fmt::format("MEM {}\n", point_text(point));
  for (const MprofChild& child : file.children) {
    for (const MprofPoint& point : child.points) {
      out += fmt::format("CHLD {} {}\n", child.number, point_text(point));
    }
  }
  return out;
}

}  // namespace pyrometer
