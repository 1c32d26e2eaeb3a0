// The profiles of a view. A live one is replaced by a later reading of it; whoever asked before
// keeps what he has.
#pragma once

#include <mutex>

#include "serve/answers.h"

namespace pyrometer {

class ProfileSet {
 public:
  explicit ProfileSet(ProfileVersions profiles) : profiles_(std::move(profiles)) {}

  ProfileVersions now() const {
    const std::lock_guard lock(mutex_);
    return profiles_;
  }

  // A later reading; null: the same one, which is not live any more.
  void replace(std::size_t row, std::shared_ptr<const ViewedProfile> profile, bool is_live) {
    const std::lock_guard lock(mutex_);
    ProfileVersion& version = profiles_[row];
    if (profile) version.profile = std::move(profile);
    version.is_live = is_live;
    ++version.generation;
  }

 private:
  mutable std::mutex mutex_;
  ProfileVersions profiles_;
};

}  // namespace pyrometer
