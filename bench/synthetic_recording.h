// Recordings with a known answer and any size, for tests and benchmarks.
#pragma once

#include <cstdint>
#include <string>

namespace pyrometer {

struct SyntheticShape {
  std::uint32_t nodes = 1000;
  std::uint32_t functions = 500;
  std::uint32_t deepest = 0;  // no path is longer; 0: any length
  std::uint64_t samples = 0;  // in time, spread over the threads
  std::uint32_t threads = 1;
  std::uint32_t metrics = 3;  // beside the sample count
  double density = 1.0;       // share of nodes with values in the final checkpoint
  bool checkpoint = true;     // cumulative values at the end
  // Values are numbers of samples times their period, so many per rank in all; few nodes have most
  // of them (Zipf), and a node has the kinds of time that its code would have. 0: any values.
  std::uint32_t zipf_samples = 0;
  bool chain = false;  // every node calls the next one: very deep recursion
  std::int32_t rank = -1;
  std::int32_t world_size = 0;
  std::uint32_t seed = 1;
  bool compressed = false;
};

// A whole recording: header to end record. The tree is the same for every seed; values
// differ by rank and seed.
std::string synthetic_recording(const SyntheticShape& shape);

}  // namespace pyrometer
