// Descriptors of ours that stay out of the program's way: high numbers, closed on exec,
// and known by what they refer to, because a program may close or reuse any number.
#pragma once

#include <sys/types.h>

namespace pyrometer {

// The same open file under a high number; the old number is closed. Returns `fd` itself when
// the process has no room for another descriptor.
int move_to_high_number(int fd);

// Tells whether a number still refers to the file it was opened for.
class FileIdentity {
 public:
  static FileIdentity of(int fd);
  bool is_behind(int fd) const;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;

 private:
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace pyrometer
