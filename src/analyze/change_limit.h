// How much slower a program may become before somebody should look: the words of --fail-above.
#pragma once

#include <string>

#include "analyze/diff.h"
#include "base/kinds.h"
#include "base/result.h"

namespace pyrometer {

struct ChangeLimit {
  bool is_relative = false;
  double value = 0;  // a part of the value before, or in the unit of the metric

  // "5%", for times also "0.5s", "20ms", "3us", "100ns", else "1000".
  static Result<ChangeLimit> parse(const std::string& text, Unit unit);

  // Whether the row grew by more than that, and chance does not explain that it grew.
  bool is_exceeded(const DiffRow& row) const;
};

}  // namespace pyrometer
