#include "serve/request.h"

#include <algorithm>
#include <charconv>

#include "base/json_writer.h"

namespace pyrometer {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Plus stands for a blank in parameters only.
Result<std::string> decode(std::string_view text, bool plus_is_blank) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return fail(ErrorCode::kUsage, "The address has a broken escape.");
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return plain;
}

// Calls visit(piece) for each piece between separators until one fails.
template <class Visit>
Result<void> split(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const std::size_t end = text.find(separator);
    PYROMETER_TRY_VOID(visit(text.substr(0, end)));
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string_view> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name && !value.empty()) return value;
  }
  return std::nullopt;
}

Result<std::uint32_t> Request::number(std::string_view name, std::uint32_t otherwise,
                                      std::uint32_t largest) const {
  const auto text = parameter(name);
  if (!text) return otherwise;
  std::uint32_t number = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number > largest) {
    return fail(ErrorCode::kUsage, "'{}' must be a whole number up to {}.", name, largest);
  }
  return number;
}

Result<std::string_view> Request::word(std::string_view name,
                                       std::initializer_list<std::string_view> words) const {
  const auto text = parameter(name);
  if (!text) return *words.begin();
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return *found;
  return fail(ErrorCode::kUsage, "'{}' cannot be '{}'.", name, *text);
}

Result<Request> parse_request(std::string_view target) {
  Request request;
  const std::size_t question = target.find('?');
  const auto add_piece = [&](std::string_view piece) -> Result<void> {
    PYROMETER_TRY(std::string plain, decode(piece, false));
    request.path.push_back(std::move(plain));
    return {};
  };
  PYROMETER_TRY_VOID(split(target.substr(0, question), '/', add_piece));
  if (question == std::string_view::npos) return request;
  const auto add_parameter = [&](std::string_view piece) -> Result<void> {
    if (piece.empty()) return {};
    const std::size_t equals = std::min(piece.find('='), piece.size());
    PYROMETER_TRY(std::string key, decode(piece.substr(0, equals), true));
    PYROMETER_TRY(std::string value,
                  decode(piece.substr(std::min(equals + 1, piece.size())), true));
    request.parameters.emplace_back(std::move(key), std::move(value));
    return {};
  };
  PYROMETER_TRY_VOID(split(target.substr(question + 1), '&', add_parameter));
  return request;
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage: return 400;
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kUnsupported:
    case ErrorCode::kTooLarge:
    case ErrorCode::kCorrupt: return 409;
    case ErrorCode::kIo: break;
  }
  return 500;
}

std::string error_json(std::string_view sentence) {
  JsonWriter json;
  json.begin_object().member("error", sentence).end_object();
  return json.take();
}

}  // namespace pyrometer
