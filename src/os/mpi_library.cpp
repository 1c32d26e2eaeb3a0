#include "os/mpi_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace pyrometer {
namespace {

// MPICH's interface, which Intel MPI, Cray MPI and MVAPICH share.
constexpr std::uintptr_t kMpichWorld = 0x44000000;
constexpr std::uintptr_t kMpichByte = 0x4c00010d;
// The interface that MPI 5 defines for all.
constexpr std::uintptr_t kStandardWorld = 0x101;
constexpr std::uintptr_t kStandardByte = 0x247;

constexpr std::string_view kStandardName = "libmpi_abi.so";
constexpr int kTag = 4711;
constexpr std::size_t kLongestPart = std::size_t{1} << 30;  // counts are ints
constexpr int kQuickLooks = 1000;
constexpr std::chrono::microseconds kNap{100};

// More than any MPI needs.
struct alignas(16) Status {
  std::array<char, 128> bytes{};
};

const std::array kOpenMpiNames = {"libmpi.so.40"};
const std::array kMpichNames = {"libmpich.so.12", "libmpi.so.12"};
const std::array kStandardNames = {"libmpi_abi.so.0", "libmpi_abi.so.1"};

std::vector<std::string> names_for(std::string_view launcher) {
  constexpr std::array kOfMpich = {"hydra", "mvapich", "pals", "alps"};
  std::vector<std::string> names;
  const auto add = [&](const auto& more) { names.insert(names.end(), more.begin(), more.end()); };
  const bool is_mpich = std::find(kOfMpich.begin(), kOfMpich.end(), launcher) != kOfMpich.end();
  if (is_mpich) add(kMpichNames);
  add(kOpenMpiNames);
  if (!is_mpich) add(kMpichNames);
  add(kStandardNames);
  return names;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool MpiLibrary::find_functions(void* library) {
  bool found = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    found = found && function != nullptr;
  };
  find(initialize_, "MPI_Init");
  find(finalize_, "MPI_Finalize");
  find(ask_rank_, "MPI_Comm_rank");
  find(ask_size_, "MPI_Comm_size");
  find(send_, "MPI_Isend");
  find(receive_, "MPI_Irecv");
  find(test_, "MPI_Test");
  return found;
}

void MpiLibrary::find_handles(void* library, std::string_view path) {
  // Open MPI's handles are the addresses of its own objects.
  void* const world = dlsym(library, "ompi_mpi_comm_world");
  void* const byte = dlsym(library, "ompi_mpi_byte");
  if (file_name(path).starts_with(kStandardName)) {
    world_ = kStandardWorld;
    byte_ = kStandardByte;
  } else if (world != nullptr && byte != nullptr) {
    world_ = reinterpret_cast<Handle>(world);
    byte_ = reinterpret_cast<Handle>(byte);
  } else {
    world_ = kMpichWorld;
    byte_ = kMpichByte;
  }
}

Result<MpiLibrary> MpiLibrary::start(std::string_view launcher, const Environment& environment) {
  const auto given = environment("PYROMETER_MPI_LIBRARY");
  const std::vector<std::string> names =
      given ? std::vector<std::string>{*given} : names_for(launcher);
  for (const std::string& name : names) {
    // Open MPI's own plugins look for its symbols among those of the whole program.
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) continue;
    MpiLibrary mpi;
    if (!mpi.find_functions(library)) {
      return fail(ErrorCode::kUnsupported, "'{}' is no MPI library", name);
    }
    mpi.find_handles(library, name);
    mpi.name_ = name;
    if (mpi.initialize_(nullptr, nullptr) != 0) {
      mpi.finalize_ = nullptr;
      return fail(ErrorCode::kUnsupported, "the MPI library '{}' does not start", name);
    }
    mpi.ask_rank_(mpi.world_, &mpi.rank_);
    mpi.ask_size_(mpi.world_, &mpi.size_);
    return mpi;
  }
  return fail(ErrorCode::kNotFound, "no MPI library can be loaded ({})", names.front());
}

MpiLibrary::MpiLibrary(MpiLibrary&& other) noexcept
    : name_(std::move(other.name_)),
      world_(other.world_),
      byte_(other.byte_),
      initialize_(other.initialize_),
      finalize_(std::exchange(other.finalize_, nullptr)),
      ask_rank_(other.ask_rank_),
      ask_size_(other.ask_size_),
      send_(other.send_),
      receive_(other.receive_),
      test_(other.test_),
      rank_(other.rank_),
      size_(other.size_) {}

MpiLibrary::~MpiLibrary() {
  if (finalize_ != nullptr) finalize_();
}

void MpiLibrary::wait_for(Handle request) const {
  Status status;
  int is_done = 0;
  for (int looks = 0;; ++looks) {
    test_(&request, &is_done, &status);
    if (is_done != 0) return;
    if (looks > kQuickLooks) std::this_thread::sleep_for(kNap);
  }
}

void MpiLibrary::send_part(int to, const void* bytes, std::size_t size) const {
  Handle request = 0;
  send_(bytes, static_cast<int>(size), byte_, to, kTag, world_, &request);
  wait_for(request);
}

void MpiLibrary::receive_part(int from, void* bytes, std::size_t size) const {
  Handle request = 0;
  receive_(bytes, static_cast<int>(size), byte_, from, kTag, world_, &request);
  wait_for(request);
}

void MpiLibrary::send(int to, std::string_view bytes) const {
  const std::uint64_t size = bytes.size();
  send_part(to, &size, sizeof size);
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kLongestPart);
    send_part(to, part.data(), part.size());
    bytes.remove_prefix(part.size());
  }
}

std::string MpiLibrary::receive(int from) const {
  std::uint64_t size = 0;
  receive_part(from, &size, sizeof size);
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < bytes.size(); at += kLongestPart) {
    receive_part(from, bytes.data() + at, std::min(kLongestPart, bytes.size() - at));
  }
  return bytes;
}

}  // namespace pyrometer
