// The profiles of `pyrometer view`: loaded before anybody asks, read again while they grow.
#pragma once

#include <atomic>
#include <span>
#include <thread>

#include "base/file.h"
#include "base/progress.h"
#include "base/result.h"
#include "serve/profile_set.h"

namespace pyrometer {

// One path, one profile. A merged file is there when its summary is; the rest is read meanwhile.
Result<ProfileVersion> load_version(const Path& path, const Progress& progress);

// Whether something is still being recorded into a run directory.
bool is_being_recorded(const Path& path, const Profile& profile);

// Reads the live ones of `profiles` again when they have grown, until nothing records into them.
class LiveReader {
 public:
  LiveReader(std::vector<Path> paths, ProfileSet& profiles);
  ~LiveReader();
  LiveReader(const LiveReader&) = delete;
  LiveReader& operator=(const LiveReader&) = delete;

 private:
  void watch(std::size_t row);

  std::vector<Path> paths_;
  ProfileSet& profiles_;
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pyrometer
