#include "formats/tau_metadata.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace pyrometer {
namespace {

constexpr std::pair<std::string_view, char> kEntities[] = {
    {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''},
};

// "#xa" and "#10" as well as names; only ASCII comes like that.
std::optional<char> character_of(std::string_view entity) {
  for (const auto& [name, character] : kEntities) {
    if (entity == name) return character;
  }
  if (!entity.starts_with('#')) return std::nullopt;
  entity.remove_prefix(1);
  const int base = entity.starts_with('x') ? 16 : 10;
  if (base == 16) entity.remove_prefix(1);
  unsigned code = 0;
  const char* end = entity.data() + entity.size();
  const auto result = std::from_chars(entity.data(), end, code, base);
  if (result.ec != std::errc{} || result.ptr != end || code == 0 || code > 127) return std::nullopt;
  return static_cast<char>(code);
}

std::string unescape(std::string_view text) {
  constexpr std::size_t kLongestEntity = 8;
  std::string plain;
  while (!text.empty()) {
    const std::size_t entity = std::min(text.find('&'), text.size());
    plain.append(text.substr(0, entity));
    text.remove_prefix(entity);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, kLongestEntity).find(';');
    const auto character =
        end == std::string_view::npos ? std::nullopt : character_of(text.substr(1, end - 1));
    plain += character.value_or('&');
    text.remove_prefix(character ? end + 1 : 1);
  }
  return plain;
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    switch (character) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '\n': escaped += "&#xa;"; break;
      case '\r': escaped += "&#xd;"; break;
      default: escaped += character;
    }
  }
  return escaped;
}

// What stands between <tag> and </tag>, which are removed with it.
std::optional<std::string> next_element(std::string_view& rest, std::string_view tag) {
  const std::string open = fmt::format("<{}>", tag);
  const std::string close = fmt::format("</{}>", tag);
  const std::size_t begin = rest.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = rest.find(close, begin + open.size());
  if (end == std::string_view::npos) return std::nullopt;
  std::string text = unescape(rest.substr(begin + open.size(), end - begin - open.size()));
  rest.remove_prefix(end + close.size());
  return text;
}

}  // namespace

TauMetadata parse_tau_metadata(std::string_view line) {
  TauMetadata metadata;
  std::string_view rest = line;
  while (auto name = next_element(rest, "name")) {
    auto value = next_element(rest, "value");
    if (!value) break;
    metadata.emplace_back(*std::move(name), *std::move(value));
  }
  return metadata;
}

std::string write_tau_metadata(const TauMetadata& metadata) {
  std::string text = "<metadata>";
  for (const auto& [name, value] : metadata) {
    text += fmt::format("<attribute><name>{}</name><value>{}</value></attribute>", escape(name),
                        escape(value));
  }
  return text + "</metadata>";
}

}  // namespace pyrometer
