// One thread as a row of weighted positions, for formats that hold samples in time: as they
// were taken where the metric is a time and the recording kept them all, else the call tree laid
// out from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/overview.h"
#include "analyze/tree_index.h"

namespace pyrometer {

struct WeightedPosition {
  std::int64_t time = 0;  // ns; of a tree that was laid out: the weights before it
  std::int64_t weight = 0;
  NodeId node;
};

struct ThreadSamples {
  std::vector<WeightedPosition> positions;  // by time; weights add up to the thread's total
  bool is_in_time = false;                  // false: laid out, times mean nothing
};

// Negative weights are left out: no viewer can draw them.
ThreadSamples make_thread_samples(const Overview& overview, const TreeIndex& index,
                                  ThreadId thread);

// "rank 3: MainThread", or what else tells it from the threads of other processes.
std::string thread_title(const Profile& profile, const Thread& thread);

}  // namespace pyrometer
