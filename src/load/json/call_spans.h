// Calls of one thread, each with its beginning and end, become call paths: who called whom is a
// matter of which span lies inside which.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/builder.h"

namespace pyrometer {

struct CallSpan {
  std::int64_t start = 0;  // ns
  std::int64_t end = 0;
  FunctionId function;
  std::uint32_t line = 0;
  std::uint32_t first_event = 0;  // the numbers of the events that open and close it
  std::uint32_t last_event = 0;   // equal where one event is the whole call
};

// The opening or closing of a call; names are compared where the closing one has a name.
struct SpanEdge {
  std::int64_t time = 0;
  StringId name;
  FunctionId function;
  std::uint32_t line = 0;
  bool opens = false;
};

// Closes what was opened, in the order of time, whatever the order of the edges. A closing edge
// closes the innermost open call of its name with all inside it; what is open at the end ends with
// the last edge. `unmatched` counts the edges that found no partner.
std::vector<CallSpan> match_edges(std::vector<SpanEdge> edges, std::uint64_t& unmatched);

struct NestedCalls {
  CallTrack track;
  std::uint64_t shortened = 0;  // calls that ended after their caller, by more than rounding
};

// Adds own times and calls to `thread`'s values. A call that ends after its caller ends with it,
// so that own times add up to the time that the thread was seen at work.
class CallNester {
 public:
  CallNester(ProfileBuilder& builder, MetricId wall, std::optional<MetricId> calls)
      : builder_(builder), wall_(wall), calls_(calls) {}

  // `from_edges`: the spans are match_edges' and nest as their events do, also where the clock
  // was too coarse to tell.
  NestedCalls nest(ThreadId thread, std::vector<CallSpan> spans, bool from_edges);

 private:
  ProfileBuilder& builder_;
  MetricId wall_;
  std::optional<MetricId> calls_;
};

}  // namespace pyrometer
