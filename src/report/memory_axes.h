// Where moments and bytes are on the paper of a plot of memory.
#pragma once

#include <cstdint>
#include <string>

#include "report/memory_window.h"

namespace pyrometer {

class MemoryAxes {
 public:
  static constexpr double kWidth = 980;
  static constexpr double kLeft = 84, kRight = 210;

  // From nothing to at least `most` bytes; bars above make the picture higher.
  MemoryAxes(const MemoryWindow& shown, std::int64_t most, double bars_height);

  double x(std::int64_t time) const;
  double y(double bytes) const;
  double top() const { return top_; }
  double bottom() const;

  std::string begin_picture() const;
  std::string grid() const;

 private:
  double top_;
  double begin_;   // seconds
  double length_;  // seconds
  double second_;  // between two marks
  double high_;    // bytes
  double step_;    // between two marks
};

}  // namespace pyrometer
