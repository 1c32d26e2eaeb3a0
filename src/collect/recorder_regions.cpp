// How named regions are recorded: each by itself, in the order of their beginnings.
#include <algorithm>

#include "collect/recorder.h"

namespace pyrometer {

void Recorder::regions(std::uint32_t thread, std::vector<RegionSpan> spans) {
  write_regions(RecordType::kRegions, thread, std::move(spans));
}

void Recorder::open_regions(std::uint32_t thread, std::vector<RegionSpan> spans) {
  write_regions(RecordType::kOpenRegions, thread, std::move(spans));
}

void Recorder::write_regions(RecordType type, std::uint32_t thread, std::vector<RegionSpan> spans) {
  constexpr std::int64_t kScale = 100;  // ns
  std::sort(spans.begin(), spans.end(),
            [](const RegionSpan& a, const RegionSpan& b) { return a.start < b.start; });
  RowWriter rows(region_columns(kScale));
  for (const RegionSpan& span : spans) {
    const bool is_known = knows_code(span.opener) && records_of_codes_[span.opener] != kHidden &&
                          records_of_codes_[span.opener] != kIsMagic;
    const std::int64_t opener = is_known ? std::int64_t{records_of_codes_[span.opener]} + 1 : 0;
    rows.row({span.start, string(span.name), span.duration, span.row, opener});
  }
  writer_.events(type, thread, kScale, rows);
}

}  // namespace pyrometer
