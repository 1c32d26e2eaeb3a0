// What `pyrometer memory` says: the peak and who held it, what keeps growing, what comes and goes,
// memory by line and over time. Whatever the profile does not hold is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyze/memory/host_memory.h"
#include "analyze/memory/live_memory.h"
#include "analyze/memory/memory_facts.h"
#include "analyze/memory/memory_series.h"
#include "analyze/memory/memory_spread.h"
#include "analyze/memory_lines.h"
#include "analyze/overview.h"
#include "analyze/selection.h"
#include "report/memory_window.h"

namespace pyrometer {

// What rows are sorted by, the largest first.
struct MemoryOrder {
  std::string_view name;
  MemoryFigure figure;
};
inline constexpr MemoryOrder kMemoryOrders[] = {
    {"peak", &MemoryFigures::peak},
    {"live", &MemoryFigures::live},
    {"allocated", &MemoryFigures::allocated},
    {"temporary", &MemoryFigures::temporary},
    {"allocations", &MemoryFigures::allocations},
    {"untouched", &MemoryFigures::untouched},
    {"copied", &MemoryFigures::copied},
};

struct MemoryPictureOptions {
  std::optional<std::string> title = {};    // nothing: what the picture is
  std::optional<MemoryWindow> window = {};  // nothing: all the time
  bool functions = true;                    // and regions, as bars above
  bool flame = false;                       // these on their callers, not by name
};

struct MemoryReportOptions {
  Selection selection = {};  // which functions, and how many rows
  MemoryUnit unit = MemoryUnit::kLine;
  std::optional<MemoryOrder> order = {};  // nothing: the first that the profile has
  bool tree = false;                      // the call tree in place of places
  std::optional<std::int64_t> at = {};    // a moment, in ns since the beginning
  bool slope = false;                     // the trend of memory over time
  MemoryPictureOptions picture = {};
  bool use_color = false;
};

// Everything that the report is made of, computed once.
struct MemorySubject {
  const Overview& overview;
  MemoryFacts facts;
  std::vector<MemorySeries> series;
  std::vector<GrowingMemory> growing;
  std::vector<MemoryFunction> lines;
  MemorySpread spread;
  std::vector<HostMemory> hosts;

  const Profile& profile() const { return overview.profile; }
};

MemorySubject make_memory_subject(const Overview& overview);

// Whether the profile says anything about memory.
bool has_memory(const MemorySubject& subject);

std::string memory_text(const MemorySubject& subject, const MemoryReportOptions& options);
// docs/memory.schema.json describes it.
std::string memory_json(const MemorySubject& subject, const MemoryReportOptions& options);
// Memory over time as an SVG picture; there must be some, and some of it in the window.
std::string memory_plot(const MemorySubject& subject, const MemoryReportOptions& options);
// Whether a plot has anything to show of the window.
bool has_memory_within(const MemorySubject& subject, const MemoryWindow& window);

// Places in the order that the options or the profile choose, not yet limited.
std::vector<MemorySite> select_memory_sites(const MemorySubject& subject,
                                            const MemoryReportOptions& options);
// The ways to them, at most so many.
std::vector<MemoryPath> select_memory_paths(const MemorySubject& subject,
                                            const MemoryReportOptions& options, std::size_t most);
MemoryOrder order_of(const MemorySubject& subject, const MemoryReportOptions& options);
// Those of functions that the options select.
std::vector<MemoryFunction> select_memory_lines(const MemorySubject& subject,
                                                const MemoryReportOptions& options);
std::vector<GrowingMemory> select_growing(const MemorySubject& subject,
                                          const MemoryReportOptions& options);
std::vector<LiveMemory> select_live(const MemorySubject& subject,
                                    const MemoryReportOptions& options);

}  // namespace pyrometer
