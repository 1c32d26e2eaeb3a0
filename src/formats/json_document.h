// A JSON text as values. The texts come from files that nobody has checked: nesting is limited to
// 200 levels, no call recurses into them, and the values take at most 40 bytes per byte of text
// (arrays of arrays; traces take three to five).
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace pyrometer {

namespace json = boost::json;

class JsonDocument {
 public:
  const json::value& root() const { return *root_; }
  // The text ended inside the list of events that a trace is; what came before was read.
  bool is_cut() const { return is_cut_; }

 private:
  friend Result<JsonDocument> read_json(std::string_view text);
  friend Result<JsonDocument> read_cut_trace(std::string_view text);
  JsonDocument() = default;

  // Behind a pointer, so that a document can move while others hold references to its values.
  std::unique_ptr<json::value> root_;
  bool is_cut_ = false;
};

// Whether a file that starts like this can be an object or an array of objects, as profiles are.
bool looks_like_json(std::string_view prefix);

Result<JsonDocument> read_json(std::string_view text);

// The same for the traces of Chrome, whose writers may stop anywhere: the array of events, or the
// object around it, ends with the last whole event.
Result<JsonDocument> read_cut_trace(std::string_view text);

}  // namespace pyrometer
