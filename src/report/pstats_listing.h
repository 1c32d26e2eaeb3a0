// What the standard library's pstats would list: which functions, in which order, and the
// words above them. docs/guides/pstats.md tells where the words come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/restriction.h"
#include "analyze/sort_order.h"
#include "base/result.h"
#include "formats/pstats_file.h"

namespace pyrometer {

struct PstatsSelection {
  SortOrder order;  // without keys: the order of the file
  bool reverse = false;
  std::vector<Restriction> restrictions;
};

struct PstatsListing {
  std::vector<std::uint32_t> functions;  // indexes in the file
  std::string heading;         // how they were ordered and restricted; ends with a newline
  std::size_t name_width = 0;  // of the longest name, in characters
};

PstatsListing make_pstats_listing(const PstatsFile& file, const PstatsSelection& selection);

// The function as pstats prints it, safe for a terminal.
std::string shown_name(const PstatsFunction& function);
// An error when a text has become too large to go on.
Result<void> check_text_size(const std::string& text);
// In characters, as Python counts: its columns do not know of wide ones.
std::size_t character_count(std::string_view text);

}  // namespace pyrometer
