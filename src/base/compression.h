// zstd with limits: what a file claims about its size is checked before memory is spent.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct ZSTD_CCtx_s;

namespace pyrometer {

std::string compress(std::string_view bytes, int level = 3);

// The same for whoever does it again and again: its tables stay.
class Compressor {
 public:
  std::string compress(std::string_view bytes, int level);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

// Fails when the result would not be exactly `expected_size` bytes.
Result<std::string> decompress(std::string_view bytes, std::size_t expected_size);

}  // namespace pyrometer
