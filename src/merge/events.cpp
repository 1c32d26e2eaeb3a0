#include "merge/events.h"

#include <algorithm>
#include <tuple>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/check.h"
#include "merge/thread_of_class.h"
#include "profile/timed_values.h"

namespace pyrometer {
namespace {

// Ten thousand ranks have two curves of memory each.
constexpr std::size_t kMostPoints = 256;

std::vector<CounterSeries> bounded(std::vector<CounterSeries> counters) {
  for (CounterSeries& series : counters) {
    if (series.points.size() <= kMostPoints) continue;
    sort_by_time(series.points);
    series.points = thin_out(series.points, kMostPoints);
  }
  return counters;
}

struct Events {
  std::vector<const Region*> regions;
  std::vector<const CounterSeries*> counters;
  std::vector<const Message*> messages;

  bool empty() const { return regions.empty() && counters.empty() && messages.empty(); }
};

template <class T, class Key>
void sort_by(std::vector<const T*>& events, Key key) {
  std::sort(events.begin(), events.end(),
            [&](const T* a, const T* b) { return key(*a) < key(*b); });
}

std::string pack(const Profile& profile, Events& events) {
  const auto class_of_region = [&](const Region& region) {
    return profile.threads[region.thread.row()].thread_class;
  };
  sort_by(events.regions, [&](const Region& region) {
    return std::tuple(class_of_region(region), region.start, region.depth,
                      profile.text(region.name), region.duration, region.value);
  });
  sort_by(events.counters, [&](const CounterSeries& series) {
    return std::tuple(profile.text(series.name), series.unit, std::cref(series.points).get());
  });
  sort_by(events.messages, [&](const Message& message) {
    return std::tuple(message.time, message.level, std::string_view(message.text));
  });
  ByteWriter out;
  out.varint(events.regions.size());
  for (const Region* region : events.regions) {
    out.u8(static_cast<std::uint8_t>(class_of_region(*region)));
    out.sized_bytes(profile.text(region->name));
    out.signed_varint(region->start);
    out.signed_varint(region->duration);
    out.varint(region->depth);
    out.signed_varint(region->value);
  }
  out.varint(events.counters.size());
  for (const CounterSeries* series : events.counters) {
    out.sized_bytes(profile.text(series->name));
    out.u8(static_cast<std::uint8_t>(series->unit));
    out.varint(series->points.size());
    for (const auto& [time, value] : series->points) {
      out.signed_varint(time);
      out.signed_varint(value);
    }
  }
  out.varint(events.messages.size());
  for (const Message* message : events.messages) {
    out.signed_varint(message->time);
    out.u8(static_cast<std::uint8_t>(message->level));
    out.sized_bytes(message->text);
  }
  return out.take();
}

}  // namespace

std::vector<std::string> pack_events(const Profile& profile) {
  std::vector<Events> events(profile.processes.size());
  for (const Region& region : profile.regions) {
    events[profile.threads[region.thread.row()].process.row()].regions.push_back(&region);
  }
  const std::vector<CounterSeries> counters = bounded(profile.counters);
  for (const CounterSeries& series : counters) {
    events[series.process.row()].counters.push_back(&series);
  }
  for (const Message& message : profile.messages) {
    events[message.process.row()].messages.push_back(&message);
  }
  std::vector<std::string> packed;
  packed.reserve(events.size());
  for (Events& each : events) packed.push_back(each.empty() ? "" : pack(profile, each));
  return packed;
}

Result<void> write_events(std::string_view packed, const MergedTables& tables, ProcessId process,
                          PyroWriter& writer) {
  const auto thread_of = [&](std::uint8_t thread_class) {
    return thread_of_class(tables.profile, process, static_cast<ThreadClass>(thread_class));
  };
  ByteReader in(packed);
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    PyroWriter::NamedRegion region{.thread = thread_of(in.u8()),
                                   .name = in.sized_bytes(),
                                   .start = in.signed_varint(),
                                   .duration = in.signed_varint(),
                                   .depth = in.varint32(),
                                   .value = in.signed_varint()};
    PYROMETER_TRY_VOID(writer.write_region(region));
  }
  std::vector<PyroWriter::Point> points;
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const std::string_view name = in.sized_bytes();
    const auto unit = static_cast<Unit>(in.u8());
    points.clear();
    for (std::uint64_t i = in.varint(); i > 0; --i) {
      const std::int64_t time = in.signed_varint();
      points.emplace_back(time, in.signed_varint());
    }
    PYROMETER_TRY_VOID(writer.write_counter(process, name, unit, points));
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const std::int64_t time = in.signed_varint();
    const auto level = static_cast<MessageLevel>(in.u8());
    PYROMETER_TRY_VOID(writer.write_message(process, time, level, in.sized_bytes()));
  }
  PYROMETER_CHECK(in.done());
  return {};
}

}  // namespace pyrometer
