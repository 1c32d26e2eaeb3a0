#include "collect/task_names.h"

namespace pyrometer {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  // Whatever is not ASCII is taken for one.
  const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_plain || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string task_kind(std::string_view name, std::string_view coroutine) {
  constexpr std::string_view kMadeUp = "Task-";
  constexpr std::size_t kLongest = 200;
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  const std::string_view stem = name.substr(0, end);
  const bool has_number = end < name.size();
  if (name.empty() || (stem == kMadeUp && has_number)) {
    if (coroutine.empty()) return "(unnamed)";
    return std::string(coroutine.substr(0, kLongest)) + "()";
  }
  if (!has_number || (!stem.empty() && is_letter(stem.back()))) {
    return std::string(name.substr(0, kLongest));
  }
  return std::string(stem.substr(0, kLongest)) + "*";
}

}  // namespace pyrometer
