// One thread that calls MPI: where it did so and what that took. It writes all this itself when
// it enters and leaves MPI; its signal handler and the session's thread look at it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "collect/mpi_clocks.h"
#include "collect/mpi_sites.h"
#include "collect/own_places.h"

namespace pyrometer {

class MpiThread {
 public:
  explicit MpiThread(int thread_id) : tid(thread_id), places(kShortcutBits) {}

  const int tid;
  OwnPlaces places;
  MpiSites sites;
  MpiClocks clocks;
  std::atomic<bool> has_ended{false};

  // The thread enters MPI and leaves it.
  void enter(std::uint32_t site, std::uint64_t bytes, std::uint64_t now) {
    bytes_.store(bytes, std::memory_order_relaxed);
    begun_.store(now, std::memory_order_relaxed);
    running_.store(site + 1, std::memory_order_release);
  }
  void leave(std::uint64_t now) {
    const std::uint32_t running = running_.load(std::memory_order_relaxed);
    if (running == 0) return;
    MpiSite& site = sites.site(running - 1);
    site.add(now - begun_.load(std::memory_order_relaxed), bytes_.load(std::memory_order_relaxed));
    running_.store(0, std::memory_order_release);
    if (clocks.are_stopped()) site.add_clocked(clocks.go_on());
  }

  // The site of the call the thread is in.
  std::optional<std::uint32_t> running() const {
    const std::uint32_t running = running_.load(std::memory_order_acquire);
    return running == 0 ? std::nullopt : std::optional(running - 1);
  }

  // For the session's thread: all calls from a site, the one that is still running with them.
  MpiTotals totals(std::uint32_t site, std::uint64_t now) const {
    const auto before = running();
    const std::uint64_t begun = begun_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = bytes_.load(std::memory_order_relaxed);
    MpiTotals totals = sites[site].read();
    // Whatever ended meanwhile is in the totals now, or will be the next time.
    if (before == site && running() == site && now > begun &&
        begun_.load(std::memory_order_relaxed) == begun) {
      totals.add(now - begun, bytes);
    }
    return totals;
  }

  // By the wall clock, in ns: what clocked calls from a site took, up to now.
  std::int64_t clocked(std::uint32_t site, std::int64_t now) const {
    const std::int64_t finished = sites[site].clocked();
    const std::int64_t since = clocks.stopped_since();
    const bool is_running = since != 0 && running() == site && now > since;
    return is_running && sites[site].clocked() == finished ? finished + now - since : finished;
  }

 private:
  static constexpr unsigned kShortcutBits = 8;

  std::atomic<std::uint32_t> running_{0};  // site + 1
  std::atomic<std::uint64_t> begun_{0}, bytes_{0};
};

}  // namespace pyrometer
