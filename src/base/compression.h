// zstd with limits: what a file claims about its size is checked before memory is spent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

std::string compress(std::string_view bytes, int level = 3);

// Fails when the result would not be exactly `expected_size` bytes.
Result<std::string> decompress(std::string_view bytes, std::size_t expected_size);

}  // namespace pyrometer
