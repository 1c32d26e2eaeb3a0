// Python text as marshal carries it: UTF-8 that may also hold lone surrogates
// ("surrogatepass"), which is how Python keeps a file name that is not valid text.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// Whether CPython would accept these bytes as a marshalled str.
bool is_marshal_text(std::string_view text);

// The same text with each byte that CPython would refuse replaced by U+FFFD.
std::string to_marshal_text(std::string_view text);

}  // namespace pyrometer
