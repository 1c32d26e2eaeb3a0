// How much of a file a reader wants. A merged file of ten thousand ranks opens as fast as
// one of a single process when only its summary is asked for.
#pragma once

namespace pyrometer {

enum class Detail {
  kSummary,     // totals per node and per process; thread_cells stay empty where a file has totals
  kCurves,      // also regions, counters and live memory over time
  kValues,      // also values per thread
  kSamples,     // also samples in time
  kEverything,  // also calls in time, which may be many
};

}  // namespace pyrometer
