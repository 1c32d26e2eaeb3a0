// How much of a file a reader wants. A merged file of ten thousand ranks opens as fast as
// one of a single process when only its summary is asked for.
#pragma once

namespace pyrometer {

enum class Detail {
  kSummary,     // totals per node and per process; thread_cells stay empty where a file has totals
  kValues,      // also values per thread
  kEverything,  // also samples and calls in time
};

}  // namespace pyrometer
