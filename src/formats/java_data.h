// Numbers and texts as Java's DataOutputStream writes them: the large end first, texts with their
// length in two bytes and characters in Java's own variant of UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyrometer {

// A read past the end yields zero and marks the reader failed for good.
class JavaDataReader {
 public:
  explicit JavaDataReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return !failed_; }
  std::size_t remaining() const { return rest_.size(); }

  std::int32_t i32() { return static_cast<std::int32_t>(number(4)); }
  double f64();
  std::string text();
  void skip(std::int64_t size);
  // A claimed number of elements, each at least `least_size` bytes: refused when the remaining
  // bytes cannot hold them.
  std::uint32_t count(std::size_t least_size);

 private:
  std::uint64_t number(std::size_t size);
  std::string_view bytes(std::size_t size);

  std::string_view rest_;
  bool failed_ = false;
};

class JavaDataWriter {
 public:
  void character(char value);
  void i32(std::int32_t value) { number(static_cast<std::uint32_t>(value), 4); }
  void f64(double value);
  // False when it is longer than the format can say.
  bool text(std::string_view value);
  void raw(std::string_view bytes) { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }
  std::size_t size() const { return bytes_.size(); }

 private:
  void number(std::uint64_t value, std::size_t size);

  std::string bytes_;
};

}  // namespace pyrometer
