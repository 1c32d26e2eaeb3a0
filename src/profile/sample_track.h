// The samples of one thread in time order, packed to a few bytes each: ten million fit
// in a hundred megabytes. Each sample carries one value per metric of the track.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "profile/ids.h"

namespace pyrometer {

class SampleTrack {
 public:
  SampleTrack(ThreadId thread, std::vector<MetricId> metrics)
      : thread_(thread), metrics_(std::move(metrics)) {}

  ThreadId thread() const { return thread_; }
  const std::vector<MetricId>& metrics() const { return metrics_; }
  std::uint64_t size() const { return count_; }

  void append(std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
    out_.signed_varint(time - last_time_);
    out_.signed_varint(std::int64_t{node.row()} - last_node_);
    for (const std::int64_t value : values) out_.signed_varint(value);
    last_time_ = time;
    last_node_ = node.row();
    ++count_;
  }

  // visit(time in ns, node, one value per metric)
  template <class Visit>
  void for_each(Visit visit) const {
    ByteReader in(out_.bytes());
    std::vector<std::int64_t> values(metrics_.size());
    std::int64_t time = 0;
    std::int64_t node = 0;
    for (std::uint64_t i = 0; i < count_; ++i) {
      time += in.signed_varint();
      node += in.signed_varint();
      for (std::int64_t& value : values) value = in.signed_varint();
      visit(time, NodeId(static_cast<std::uint32_t>(node)), std::span<const std::int64_t>(values));
    }
  }

 private:
  ThreadId thread_;
  std::vector<MetricId> metrics_;
  ByteWriter out_;
  std::uint64_t count_ = 0;
  std::int64_t last_time_ = 0;
  std::int64_t last_node_ = 0;
};

}  // namespace pyrometer
