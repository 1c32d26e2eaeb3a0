#include "report/pstats_listing.h"

#include <algorithm>

#include "analyze/names.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

constexpr std::size_t kLargestText = std::size_t{256} << 20;

std::string name_of(const PstatsFunction& function) {
  return standard_name(function.file, function.line, function.name);
}

template <class Value>
int order_of(const Value& a, const Value& b) {
  return a < b ? -1 : static_cast<int>(b < a);
}

// Negative when `a` comes first. Bytes of UTF-8 compare as the characters do.
int compare(SortKey key, const PstatsFunction& a, const PstatsFunction& b) {
  switch (key) {
    case SortKey::kTotal: return order_of(b.cost.total_seconds, a.cost.total_seconds);
    case SortKey::kStackSamples:
    case SortKey::kCalls: return order_of(b.cost.calls, a.cost.calls);
    case SortKey::kSamples:
    case SortKey::kPrimitiveCalls: return order_of(b.cost.primitive_calls, a.cost.primitive_calls);
    case SortKey::kName: return a.name.compare(b.name);
    case SortKey::kFile: return a.file.compare(b.file);
    case SortKey::kLine: return order_of(a.line, b.line);
    case SortKey::kStandardName: return name_of(a).compare(name_of(b));
    default: return order_of(b.cost.self_seconds, a.cost.self_seconds);
  }
}

void sort_rows(const PstatsFile& file, const PstatsSelection& selection,
               std::vector<std::uint32_t>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const SortKey key : selection.order.keys) {
      const int order = compare(key, file.functions[a], file.functions[b]);
      if (order != 0) return order < 0;
    }
    return false;
  });
  // Equals are turned round with the rest.
  if (selection.reverse) std::reverse(rows.begin(), rows.end());
}

}  // namespace

std::string shown_name(const PstatsFunction& function) {
  // The old `profile` module makes a name of the text it runs; line breaks do no harm.
  const std::string name = name_of(function);
  std::string shown;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("\n\t", begin), name.size());
    shown += printable(std::string_view(name).substr(begin, end - begin));
    if (end < name.size()) shown += name[end];
    begin = end + 1;
  }
  return shown;
}

Result<void> check_text_size(const std::string& text) {
  if (text.size() <= kLargestText) return {};
  return fail(ErrorCode::kTooLarge,
              "the text takes more than {} MiB, because names are many or very long; choose fewer "
              "rows with --restrict",
              kLargestText >> 20);
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

PstatsListing make_pstats_listing(const PstatsFile& file, const PstatsSelection& selection) {
  PstatsListing listing;
  std::vector<std::uint32_t>& rows = listing.functions;
  for (std::uint32_t i = 0; i < file.functions.size(); ++i) {
    if (file.functions[i].has_entry) rows.push_back(i);
  }
  if (selection.order.keys.empty()) {
    listing.heading = "   Random listing order was used\n";
  } else {
    sort_rows(file, selection, rows);
    listing.heading = fmt::format("   Ordered by: {}\n", selection.order.title);
  }
  for (const Restriction& restriction : selection.restrictions) {
    const std::size_t before = rows.size();
    if (!restriction.is_valid()) {
      listing.heading +=
          fmt::format("   <Invalid regular expression {}>\n", restriction.representation());
      continue;
    }
    restriction.apply(rows, [&](std::uint32_t row) { return name_of(file.functions[row]); });
    if (rows.size() == before) continue;
    listing.heading += fmt::format("   List reduced from {} to {} due to restriction <{}>\n",
                                   before, rows.size(), restriction.representation());
  }
  for (const std::uint32_t row : rows) {
    const std::size_t width = character_count(shown_name(file.functions[row]));
    listing.name_width = std::max(listing.name_width, width);
  }
  return listing;
}

}  // namespace pyrometer
