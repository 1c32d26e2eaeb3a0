// What TAU's names say: "int main(int, char **) C [{main.c} {5,1}-{17,1}]", "solve
// [{wave.py}{12}]",
// "[SAMPLE] dot [{/src/dot.c} {7}]", and paths of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pyrometer {

enum class TauFrameKind : std::uint8_t {
  kTimer,
  kContext,  // a timer again, as the place that samples below it were taken in
  kSummary,  // samples of one function again, added up by ParaProf
  kSample,   // where the program was: calls are samples
  kUnwind,   // a frame above a sample
};

struct TauFrame {
  TauFrameKind kind = TauFrameKind::kTimer;
  std::string_view name;
  std::string_view file;
  std::uint32_t line = 0;
};

TauFrame parse_tau_frame(std::string_view text);

// "a  => b": its names without the spaces around them.
std::vector<std::string_view> split_tau_path(std::string_view name);

}  // namespace pyrometer
