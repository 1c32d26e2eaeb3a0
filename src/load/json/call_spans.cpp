#include "load/json/call_spans.h"

#include <algorithm>

namespace pyrometer {
namespace {

// Tools write microseconds with three digits, if any, so ends may differ by one unit.
constexpr std::int64_t kRounding = 1'000;

struct OpenCall {
  std::int64_t end = 0;
  std::uint32_t last_event = 0;
  NodeId node;
};

}  // namespace

std::vector<CallSpan> match_edges(std::vector<SpanEdge> edges, std::uint64_t& unmatched) {
  std::stable_sort(edges.begin(), edges.end(),
                   [](const SpanEdge& a, const SpanEdge& b) { return a.time < b.time; });
  std::vector<CallSpan> spans;
  std::vector<std::size_t> open;  // rows of spans
  // How often a name is open, so that a stray closing edge costs no walk down the stack.
  std::vector<std::uint32_t> open_by_name;
  const auto count_of = [&](StringId name) -> std::uint32_t& {
    if (name.row() >= open_by_name.size()) open_by_name.resize(name.row() + std::size_t{1});
    return open_by_name[name.row()];
  };
  std::vector<StringId> names;  // of the open calls
  const auto close_innermost = [&](std::size_t edge) {
    CallSpan& span = spans[open.back()];
    span.end = edges[edge].time;
    span.last_event = static_cast<std::uint32_t>(edge);
    --count_of(names.back());
    open.pop_back();
    names.pop_back();
  };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const SpanEdge& edge = edges[i];
    if (edge.opens) {
      open.push_back(spans.size());
      names.push_back(edge.name);
      ++count_of(edge.name);
      spans.push_back({.start = edge.time,
                       .end = edge.time,
                       .function = edge.function,
                       .line = edge.line,
                       .first_event = static_cast<std::uint32_t>(i)});
      continue;
    }
    const bool is_open = edge.name.is_none() ? !open.empty() : count_of(edge.name) != 0;
    if (!is_open) {
      ++unmatched;
      continue;
    }
    while (!edge.name.is_none() && names.back() != edge.name) {
      close_innermost(i);
      ++unmatched;
    }
    close_innermost(i);
  }
  while (!open.empty()) {
    close_innermost(edges.size() - 1);
    ++unmatched;
  }
  return spans;
}

NestedCalls CallNester::nest(ThreadId thread, std::vector<CallSpan> spans, bool from_edges) {
  if (!from_edges) {
    std::stable_sort(spans.begin(), spans.end(), [](const CallSpan& a, const CallSpan& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
  }
  const auto is_inside = [from_edges](const CallSpan& span, const OpenCall& call) {
    return from_edges ? span.first_event < call.last_event : span.start < call.end;
  };
  NestedCalls result{.track = {.thread = thread, .calls = {}}};
  result.track.calls.reserve(spans.size());
  ValueRows& values = builder_.values(thread);
  std::vector<OpenCall> open;
  for (const CallSpan& span : spans) {
    while (!open.empty() && !is_inside(span, open.back())) open.pop_back();
    const NodeId above = open.empty() ? NodeId::none() : open.back().node;
    const NodeId node = builder_.node(above, span.function, span.line);
    std::int64_t end = std::max(span.start, span.end);
    if (!open.empty() && end > open.back().end) {
      if (end - open.back().end > kRounding) ++result.shortened;
      end = open.back().end;
    }
    const std::int64_t duration = end - span.start;
    if (!above.is_none()) values.row(above)[wall_] -= duration;
    ValueRows::Row row = values.row(node);
    row[wall_] += duration;
    if (calls_) ++row[*calls_];
    result.track.calls.push_back({span.start, duration, node});
    open.push_back({end, span.last_event, node});
  }
  return result;
}

}  // namespace pyrometer
