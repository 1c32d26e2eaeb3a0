// What the browser asks for, taken apart; and what it is answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer {

struct Request {
  std::vector<std::string> path;  // "api", "0", "values"
  std::vector<std::pair<std::string, std::string>> parameters = {};
  // For a page of its own: columns that compress well, and what it should say of itself.
  bool is_packed = false;
  std::vector<std::string> notes = {};
  bool without_sources = false;

  // Nothing when it is not there or empty.
  std::optional<std::string_view> parameter(std::string_view name) const;
  // `otherwise` when it is not there; an error when it is no whole number up to `largest`.
  Result<std::uint32_t> number(std::string_view name, std::uint32_t otherwise,
                               std::uint32_t largest) const;
  // One of the words, the first when it is not there.
  Result<std::string_view> word(std::string_view name,
                                std::initializer_list<std::string_view> words) const;
};

// From "api/0/values?metric=wall": without a slash in front. An error for escapes that are none.
Result<Request> parse_request(std::string_view target);

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kBinaryType = "application/octet-stream";

struct Answer {
  std::string body;
  std::string_view type = kJsonType;
  std::string attachment = {};  // the name of a file to save it as
};

// The status of HTTP that an error stands for.
int status_of(ErrorCode code);
// {"error": "One sentence."}
std::string error_json(std::string_view sentence);

}  // namespace pyrometer
