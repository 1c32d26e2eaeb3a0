// gzip with a limit: what a file inflates to is counted while it is inflated, so that a small file
// cannot ask for more memory than `limit` (and by deflate's own rules for no more than 1,032 times
// its size).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

// Whether bytes that begin like this are a gzip file.
bool looks_like_gzip(std::string_view prefix);

// The content of a gzip file; several members are one text, as gzip has it. A file that was cut,
// damaged or inflates to more than `limit` bytes is an error.
Result<std::string> inflate_gzip(std::string_view bytes, std::size_t limit);

}  // namespace pyrometer
