#include "formats/json_document.h"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <string>

namespace pyrometer {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kWhiteSpace = " \t\r\n";

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

// Where a trace that breaks off can be closed: behind its last whole event, and with what.
struct SafeEnd {
  std::size_t at = 0;  // 0: there is none
  std::string brackets;
  bool was_cut = false;  // something of another event follows
};

// Follows strings and brackets only. An event is an object in an array that is the whole text, or
// is a member of the object that is.
SafeEnd find_safe_end(std::string_view text) {
  SafeEnd safe;
  std::string open;  // the brackets that are open
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && open.size() < kDeepest; ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open += c;
    if (c != '}' && c != ']') continue;
    if (open.empty()) break;
    open.pop_back();
    if (c == '}' && (open == "[" || open == "{[")) {
      safe.at = i + 1;
      safe.brackets = open == "[" ? "]" : "]}";
    }
  }
  if (safe.at != 0) {
    const std::size_t rest = text.find_first_not_of(" \t\r\n,", safe.at);
    safe.was_cut = rest != std::string_view::npos;
  }
  return safe;
}

}  // namespace

bool looks_like_json(std::string_view prefix) {
  prefix = without_mark(prefix);
  const std::size_t first = prefix.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos) return false;
  const std::size_t second = prefix.find_first_not_of(kWhiteSpace, first + 1);
  if (second == std::string_view::npos) return false;
  // "[unknown];main 12" begins a collapsed stack.
  return prefix[first] == '{' ? prefix[second] == '"' || prefix[second] == '}'
                              : prefix[first] == '[' && prefix[second] == '{';
}

Result<JsonDocument> read_json(std::string_view text) {
  const std::string_view body = without_mark(text);
  json::parse_options options;
  options.max_depth = kDeepest;
  options.allow_trailing_commas = true;  // as traces have that were written event by event
  options.allow_invalid_utf8 = true;     // names of files; they are made valid where they are shown
  json::parser parser(json::storage_ptr(), options);
  // Freed as a whole: values are never taken apart one by one.
  parser.reset(json::make_shared_resource<json::monotonic_resource>());
  json::error_code error;
  const std::size_t read = parser.write_some(body.data(), body.size(), error);
  const std::size_t at = read + (text.size() - body.size());
  if (error == json::error::incomplete) {
    return fail(ErrorCode::kCorrupt, "the JSON text ends early, at byte {}; it was cut", at);
  }
  if (error == json::error::too_deep) {
    return fail(ErrorCode::kTooLarge, "byte {}: the JSON text is nested deeper than {} levels", at,
                kDeepest);
  }
  if (error) return fail(ErrorCode::kCorrupt, "byte {}: not JSON ({})", at, error.message());
  if (body.find_first_not_of(kWhiteSpace, read) != std::string_view::npos) {
    return fail(ErrorCode::kCorrupt, "byte {}: there is more text behind the end of the JSON value",
                at);
  }
  JsonDocument document;
  document.root_ = std::make_unique<json::value>(parser.release());
  return document;
}

Result<JsonDocument> read_cut_trace(std::string_view text) {
  const SafeEnd safe = find_safe_end(text);
  if (safe.at == 0) return fail(ErrorCode::kCorrupt, "the trace was cut before its first event");
  PYROMETER_TRY(JsonDocument document,
                read_json(std::string(text.substr(0, safe.at)) + safe.brackets));
  document.is_cut_ = safe.was_cut;
  return document;
}

}  // namespace pyrometer
