#include "os/run_place.h"

#include <algorithm>

#include "base/file.h"
#include "os/host_name.h"

namespace pyrometer {

RunPlace find_place() {
  RunPlace place{.host = host_name(), .rank = detect_rank(own_environment)};
  // A launch of one, as an interactive shell of srun is, may run many programs one by one.
  place.is_shared = place.rank && place.rank->size != 1;
  const std::string programs = own_environment("OMPI_NUM_APP_CTX").value_or("1");
  place.is_mpmd = place.is_shared && place.rank->launcher == "openmpi" && programs != "1";
  const std::string variable = place.rank ? place.rank->variable : "";
  const LaunchedBy launcher = find_launcher(
      place.rank ? variable + "=" + own_environment(variable.c_str()).value_or("") : "");
  const auto no_environment = [](const char*) -> std::optional<std::string> { return {}; };
  place.launch = place.is_shared
                     ? launch_identity(own_environment, place.host, launcher)
                     : launch_identity(no_environment, place.host, {.start = own_start()});
  // A directory's name: it need not be unique, as the launch in it tells runs apart.
  const std::string no_job = !place.is_shared                ? "local"
                             : launcher.control_port.empty() ? std::to_string(launcher.start.pid)
                                                             : launcher.control_port;
  place.job = job_id(own_environment).value_or(no_job);
  std::replace(place.job.begin(), place.job.end(), ':', '-');
  return place;
}

bool is_launcher(const std::string& program) {
  constexpr std::string_view kLaunchers[] = {"srun", "orterun", "prterun", "jsrun", "aprun"};
  const std::string name = Path(program).filename().string();
  // Also "mpirun.openmpi", "mpiexec.hydra".
  return name.starts_with("mpirun") || name.starts_with("mpiexec") ||
         std::find(std::begin(kLaunchers), std::end(kLaunchers), name) != std::end(kLaunchers);
}

}  // namespace pyrometer
