#include "cli/merge_team.h"

#include <algorithm>
#include <string>
#include <thread>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "cli/terminal.h"
#include "os/host_name.h"
#include "os/mpi_library.h"
#include "os/rank.h"

namespace pyrometer {
namespace {

class MpiTeam : public Team {
 public:
  explicit MpiTeam(MpiLibrary library) : library_(std::move(library)) {}
  std::uint32_t member() const override { return static_cast<std::uint32_t>(library_.rank()); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(library_.size()); }
  void send(std::uint32_t to, std::string_view bytes) override {
    library_.send(static_cast<int>(to), bytes);
  }
  std::string receive(std::uint32_t from) override {
    return library_.receive(static_cast<int>(from));
  }

 private:
  MpiLibrary library_;
};

// How many members are on this machine.
unsigned neighbours(Team& team) {
  ByteWriter all;
  for (const std::string& host : gather(team, host_name())) all.sized_bytes(host);
  const std::string hosts = broadcast(team, all.take());
  unsigned count = 0;
  for (ByteReader in(hosts); in.remaining() > 0;) count += in.sized_bytes() == host_name() ? 1 : 0;
  return std::max(1U, count);
}

// Launchers of other things than MPI programs.
bool is_of_mpi(const Rank& rank) { return rank.launcher != "given" && rank.launcher != "torchrun"; }

MergePart work_alone(const Rank& rank, std::string_view why) {
  if (rank.rank != 0) return {.team = nullptr, .is_idle = true};
  print_error(fmt::format(
      "{}; this process merges alone; name the launcher's MPI library in PYROMETER_MPI_LIBRARY",
      why));
  return {};
}

}  // namespace

MergePart join_merge(bool use_mpi) {
  const auto rank = detect_rank(own_environment);
  if (!use_mpi || !rank || rank->size == 1 || !is_of_mpi(*rank)) return {};
  auto library = MpiLibrary::start(rank->launcher, own_environment);
  if (!library) return work_alone(*rank, library.error().message);
  if (library->size() == 1) {
    if (rank->size == 0) return {};
    return work_alone(
        *rank, fmt::format("the MPI library '{}' is not that of the launcher", library->name()));
  }
  auto team = std::make_unique<MpiTeam>(*std::move(library));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned workers = std::max(1U, cores / neighbours(*team));
  return {.team = std::move(team), .workers = workers, .is_idle = false};
}

}  // namespace pyrometer
