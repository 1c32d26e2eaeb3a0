// MPI, loaded when it is needed: no build of ours knows any. It is that of the machine, found by
// name, in whichever of the three binary interfaces it speaks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/launch_identity.h"

namespace pyrometer {

class MpiLibrary {
 public:
  // Joins the other processes of the launch, all of which must do so. `launcher` as detect_rank
  // names it: its own library is tried first. PYROMETER_MPI_LIBRARY names another one.
  static Result<MpiLibrary> start(std::string_view launcher, const Environment& environment);
  MpiLibrary(const MpiLibrary&) = delete;
  MpiLibrary& operator=(const MpiLibrary&) = delete;
  MpiLibrary(MpiLibrary&& other) noexcept;
  MpiLibrary& operator=(MpiLibrary&&) = delete;
  ~MpiLibrary();  // leaves the others

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& name() const { return name_; }

  // Messages of any size, in their order; whoever sends may wait for who receives. Unlike MPI
  // itself, who waits leaves the core to others. When a process is gone, MPI ends all of them.
  void send(int to, std::string_view bytes) const;
  std::string receive(int from) const;

 private:
  // A handle is a pointer in two of the interfaces and an int in one; in a register both are the
  // same.
  using Handle = std::uintptr_t;
  using Initialize = int (*)(int*, char***);
  using Finalize = int (*)();
  using AskComm = int (*)(Handle, int*);
  using Send = int (*)(const void*, int, Handle, int, int, Handle, Handle* request);
  using Receive = int (*)(void*, int, Handle, int, int, Handle, Handle* request);
  using Test = int (*)(Handle* request, int*, void*);

  MpiLibrary() = default;
  bool find_functions(void* library);
  void find_handles(void* library, std::string_view path);
  void wait_for(Handle request) const;
  void send_part(int to, const void* bytes, std::size_t size) const;
  void receive_part(int from, void* bytes, std::size_t size) const;

  std::string name_;
  Handle world_ = 0;
  Handle byte_ = 0;
  Initialize initialize_ = nullptr;
  Finalize finalize_ = nullptr;
  AskComm ask_rank_ = nullptr;
  AskComm ask_size_ = nullptr;
  Send send_ = nullptr;
  Receive receive_ = nullptr;
  Test test_ = nullptr;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace pyrometer
