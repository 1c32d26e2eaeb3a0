#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/printable.h"

namespace pyrometer {

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  quoted(name);
  out_ += indent_ ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  quoted(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? raw(fmt::format("{}", number)) : null();
}

std::string JsonWriter::take() {
  PYROMETER_CHECK(has_members_.empty());
  out_ += '\n';
  return std::exchange(out_, {});
}

JsonWriter& JsonWriter::open(char bracket) {
  before_value();
  out_ += bracket;
  has_members_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool had_members = has_members_.back();
  has_members_.pop_back();
  if (had_members) new_line();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  before_value();
  out_ += text;
  return *this;
}

void JsonWriter::before_value() {
  if (std::exchange(after_key_, false) || has_members_.empty()) return;
  if (has_members_.back()) out_ += ',';
  has_members_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  if (!indent_) return;
  out_ += '\n';
  out_.append(2 * has_members_.size(), ' ');
}

void JsonWriter::quoted(std::string_view text) {
  out_ += '"';
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"': out_ += "\\\""; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      case '\t': out_ += "\\t"; break;
      case '\r': out_ += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

}  // namespace pyrometer
