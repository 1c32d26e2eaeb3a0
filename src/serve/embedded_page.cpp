#include "serve/embedded_page.h"

#include "base/check.h"
#include "base/gzip.h"

// Of embedded_page.S.
extern "C" {
extern const char kPyrometerViewPage[];
extern const char kPyrometerViewPageEnd[];
}

namespace pyrometer {
namespace {

constexpr std::size_t kLargestPage = 8U << 20;

std::string inflate_page() {
  auto page = inflate_gzip(packed_page(), kLargestPage);
  PYROMETER_CHECK(page.has_value());
  return *std::move(page);
}

}  // namespace

std::string_view packed_page() {
  return {static_cast<const char*>(kPyrometerViewPage),
          static_cast<std::size_t>(kPyrometerViewPageEnd - kPyrometerViewPage)};
}

const std::string& plain_page() {
  static const std::string page = inflate_page();
  return page;
}

}  // namespace pyrometer
