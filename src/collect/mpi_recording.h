// Times the MPI calls of the program, as the preload library tells of them, for the recording: by
// the line that calls, in every thread. Works beside samples, counted calls and measured lines.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "collect/mpi_thread.h"
#include "collect/recorder.h"
#include "collect/tick.h"
#include "collect/tree_nodes.h"
#include "os/cycle_counter.h"

namespace pyrometer {

class MpiRecording {
 public:
  // `functions` are the names by which functions are told of. Places are found where the context
  // has a table of code; elsewhere calls count without them. Beside samples, long calls are
  // clocked. A forked child makes a new one: the thread that does so begins anew.
  MpiRecording(std::span<const char* const> functions, const FrameContext& context,
               bool beside_samples);

  // The calling thread enters and leaves MPI.
  void begin(std::uint32_t function, std::uint64_t bytes, std::uint32_t communicator);
  static void end();

  // ---- for the session's thread
  CodeTable* codes() const { return context_.codes; }
  // The MPI function of a site as a node of the recording; nothing when that cannot be said yet.
  std::optional<std::uint32_t> node(const MpiThread& thread, std::uint32_t site, Recorder& recorder,
                                    const std::function<void()>& drain_codes);

  // How the session knows a thread, if it does.
  struct KnownThread {
    std::optional<std::uint32_t> recorded_as;
    bool is_in_use = false;  // somebody may still ask for its nodes
  };
  using FindThread = std::function<KnownThread(const MpiThread&)>;
  // The time of clocked calls since the last time, as samples.
  void sample(Recorder& recorder, std::int64_t now, const FindThread& find_thread,
              const std::function<void()>& drain_codes);
  // Everything that changed since the last time.
  void write(Recorder& recorder, std::int64_t now, const FindThread& find_thread,
             const std::function<void()>& drain_codes);

 private:
  using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // node, size, size class
  struct Recorded {
    std::unique_ptr<MpiThread> thread;
    TreeNodes nodes;
    std::vector<std::optional<std::uint32_t>> site_nodes;
    std::map<Row, MpiTotals> written;
    std::vector<std::int64_t> sampled;  // by site, in ns
    std::optional<std::uint32_t> recorded_as;
    bool warned_of_folding = false;
  };

  MpiThread* meet_thread();
  static void find_record(Recorded& recorded, Recorder& recorder, const KnownThread& known,
                          std::int64_t now);
  std::uint32_t find_site(MpiThread& thread, const MpiSiteKey& without_place) const;
  std::optional<std::uint32_t> node(Recorded& recorded, std::uint32_t site, Recorder& recorder,
                                    const std::function<void()>& drain_codes);
  bool write_thread(Recorded& recorded, Recorder& recorder, std::int64_t now,
                    const std::function<void()>& drain_codes);

  const std::span<const char* const> functions_;
  const FrameContext& context_;
  const CycleCounter& counter_ = CycleCounter::own();
  std::optional<std::uint64_t> clocked_time_;  // calls that take so long are clocked; in counts
  std::mutex mutex_;                           // of the list
  std::vector<std::unique_ptr<Recorded>> threads_;
};

// For the signal handler: the calling thread, if it ever called MPI.
MpiThread* own_mpi_thread();
// What its clocks missed; nothing while they stand still.
inline std::optional<MpiClocks::Missed> missed_in_mpi() {
  const MpiThread* own = own_mpi_thread();
  return own == nullptr ? MpiClocks::Missed() : own->clocks.missed();
}

}  // namespace pyrometer
