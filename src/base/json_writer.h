// Writes one JSON document piece by piece; commas and escapes are its own business.
// Text that is not valid UTF-8 is made so, so that every document can be parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pyrometer {

class JsonWriter {
 public:
  // With `indent`, one member per line for people; without, as small as possible.
  explicit JsonWriter(bool indent = false) : indent_(indent) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(double number);
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  JsonWriter& value(T number) {
    return raw(std::to_string(number));
  }
  JsonWriter& null() { return raw("null"); }

  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  // The finished document, with a newline at its end.
  std::string take();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view text);
  void before_value();
  void new_line();
  void quoted(std::string_view text);

  std::string out_;
  std::vector<bool> has_members_;  // one per open bracket
  bool after_key_ = false;
  bool indent_;
};

}  // namespace pyrometer
