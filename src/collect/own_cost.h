// What sampling costs the program, and the rate that keeps it under one per cent.
#pragma once

#include <cstdint>

namespace pyrometer {

class OwnCost {
 public:
  explicit OwnCost(std::int64_t wanted_rate) : wanted_rate_(wanted_rate), rate_(wanted_rate) {}

  // Totals so far, in ns. `handler` is time in signal handlers, `session` the CPU time of our
  // own thread, `process` that of the whole process.
  void update(std::int64_t handler, std::uint64_t ticks, std::int64_t session,
              std::int64_t process);

  std::int64_t total() const { return latest_; }
  // The rate at which the last second would have cost at most the limit. Our own thread limits
  // itself (Session::watch_sleepers); the rate answers for the ticks, within what it leaves.
  std::int64_t fitting_rate() const { return rate_; }

 private:
  // Interrupting a thread and delivering a signal, which no handler can see; measured on
  // virtual machines, less on bare ones.
  static constexpr std::int64_t kDelivery = 5'000;
  static constexpr double kLimit = 0.01;
  static constexpr double kLeastForTicks = 0.5;  // of the limit
  static constexpr std::int64_t kLowestRate = 10;

  std::int64_t wanted_rate_;
  std::int64_t rate_;
  std::int64_t latest_ = 0;
  std::int64_t total_ = 0;  // when the rate was last judged
  std::int64_t session_ = 0;
  std::int64_t process_ = 0;
};

}  // namespace pyrometer
