// Reads anything as a profile in JSON, or as memray's CSV. What can be read must keep the model's
// invariants and load again from our own export.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyze/main_metric.h"
#include "base/check.h"
#include "export/exporter.h"
#include "load/json/json.h"
#include "load/memray_csv.h"
#include "profile/totals.h"

namespace {

void check(const pyrometer::Profile& profile) {
  for (std::size_t row = 0; row < profile.nodes.size(); ++row) {
    const pyrometer::Node& node = profile.nodes[row];
    PYROMETER_CHECK(node.parent.is_none() || node.parent.row() < row);
    PYROMETER_CHECK(node.function.row() < profile.functions.size());
  }
  const auto metric = pyrometer::main_metric(profile);
  if (!metric) return;
  const auto text = pyrometer::export_json(pyrometer::make_overview(profile, *metric));
  PYROMETER_CHECK(text);
  const auto again = pyrometer::load_json(*text, pyrometer::Detail::kEverything);
  PYROMETER_CHECK(again);
  PYROMETER_CHECK(grand_total(*again, *metric) == grand_total(profile, *metric));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto profile = pyrometer::load_json(bytes, pyrometer::Detail::kEverything)) {
    check(*profile);
  }
  if (pyrometer::looks_like_memray_csv(bytes)) {
    if (const auto profile = pyrometer::load_memray_csv(bytes)) check(*profile);
  }
  return 0;
}
