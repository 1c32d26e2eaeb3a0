// load_benchmark FILE: loads one file with all its samples and says what that took.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "load/load.h"

namespace {

// The most memory this process has held, in kB; 0 where the system does not say.
std::uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: load_benchmark FILE\n");
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto profile = pyrometer::load_file(argv[1], pyrometer::Detail::kEverything);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (!profile) {
    fmt::print(stderr, "{}\n", profile.error().message);
    return 1;
  }
  std::uint64_t samples = 0;
  for (const pyrometer::SampleTrack& track : profile->samples) samples += track.size();
  fmt::print("seconds {:.4f}\nnodes {}\nsamples {}\npeak_kb {}\n", elapsed.count(),
             profile->nodes.size(), samples, peak_memory());
  return 0;
}
