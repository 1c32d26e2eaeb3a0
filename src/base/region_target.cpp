#include "base/region_target.h"

#include "base/printable.h"

namespace pyrometer {

Result<RegionTarget> parse_region_target(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = equals == std::string_view::npos ? equals : text.find(':', equals);
  const bool has_all = colon != std::string_view::npos && equals > 0 && colon > equals + 1 &&
                       colon + 1 < text.size();
  if (!has_all || text.find('\n') != std::string_view::npos ||
      text.find(':', colon + 1) != std::string_view::npos) {
    return fail(ErrorCode::kUsage,
                "--region takes NAME=module:function, as in solve=fem.solver:solve, not '{}'",
                printable(text));
  }
  return RegionTarget{.name = std::string(text.substr(0, equals)),
                      .module = std::string(text.substr(equals + 1, colon - equals - 1)),
                      .function = std::string(text.substr(colon + 1))};
}

}  // namespace pyrometer
