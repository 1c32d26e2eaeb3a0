// Where the samples of one thread go: into its values and, for who wants everything, into its
// track in time.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "profile/builder.h"

namespace pyrometer {

class SampleSink {
 public:
  SampleSink(ProfileBuilder& builder, ThreadId thread, std::vector<MetricId> metrics, bool in_time)
      : builder_(builder), thread_(thread), metrics_(std::move(metrics)) {
    if (in_time) track_.emplace(thread_, metrics_);
  }

  // One value per metric; more are not used.
  void add(std::int64_t time, NodeId node, std::span<const std::int64_t> values) {
    ValueRows::Row row = builder_.values(thread_).row(node);
    for (std::size_t i = 0; i < metrics_.size(); ++i) row[metrics_[i]] += values[i];
    if (track_) track_->append(time, node, values.first(metrics_.size()));
  }

  void finish() {
    if (track_ && track_->size() != 0) builder_.profile().samples.push_back(*std::move(track_));
    track_.reset();
  }

 private:
  ProfileBuilder& builder_;
  ThreadId thread_;
  std::vector<MetricId> metrics_;
  std::optional<SampleTrack> track_;
};

}  // namespace pyrometer
