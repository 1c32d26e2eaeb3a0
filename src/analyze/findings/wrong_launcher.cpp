// Ranks that think they are alone: the launcher is of another MPI than the program's.
#include <fmt/format.h>

#include "analyze/findings/findings.h"
#include "analyze/ranks/rank_list.h"
#include "base/format_value.h"
#include "base/printable.h"

namespace pyrometer {

std::vector<Finding> find_wrong_launcher(const Overview& overview) {
  std::int64_t alone = 0;
  const Process* example = nullptr;
  for (const Process& process : overview.profile.processes) {
    if (process.rank < 0 || process.world_size <= 1) continue;
    if (number_attribute(process, "mpi.size", 0) != 1) continue;
    if (alone++ == 0) example = &process;
  }
  if (example == nullptr) return {};
  const std::string launcher = attribute(*example, "launcher");
  const std::string library = mpi_library_words(*example);
  const std::string named = library.empty() ? "" : fmt::format(" ({})", printable(library));
  // srun serves any MPI, but must be told how to speak to it.
  const std::string remedy =
      launcher == "srun"
          ? fmt::format(
                "srun does not speak to the program's MPI{}; start it with srun --mpi=pmix "
                "or --mpi=pmi2, whichever that MPI was built for",
                named)
          : fmt::format("the program uses another MPI{}; start it with that one's mpirun", named);
  return {{Finding::Kind::kWarning, "wrong-launcher",
           fmt::format("The launcher{} started {} ranks, but for MPI each of {} is alone: {}.",
                       launcher.empty() ? "" : fmt::format(" ({})", printable(launcher)),
                       format_count(example->world_size), format_count(alone), remedy)}};
}

}  // namespace pyrometer
