// What a place copied, in all so far.
#pragma once

#include <cstdint>

namespace pyrometer {

struct CopyTotals {
  std::int64_t bytes = 0, copies = 0;
  friend bool operator==(const CopyTotals&, const CopyTotals&) = default;
  CopyTotals& operator+=(const CopyTotals& more) {
    bytes += more.bytes;
    copies += more.copies;
    return *this;
  }
};

}  // namespace pyrometer
