// Where recorded processes say what went wrong with recording: their own output belongs to
// the program, so they send a sentence here and `pyrometer run` prints it at the end.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/unique_fd.h"

namespace pyrometer {

class NoticeSocket {
 public:
  static Result<NoticeSocket> open();

  // Of the abstract address, without the NUL it begins with.
  const std::string& name() const { return name_; }
  // Becomes readable when a notice arrives.
  int fd() const { return fd_.get(); }

  // Takes what has arrived, never waits. Only our own user is heard; each sentence is kept
  // once, made printable and cut, and at most kMost are kept.
  void drain();

  const std::vector<std::string>& notices() const { return notices_; }

  static constexpr std::size_t kMost = 10;
  static constexpr std::size_t kLongest = 500;  // bytes

 private:
  NoticeSocket(std::string name, UniqueFd fd) : name_(std::move(name)), fd_(std::move(fd)) {}

  void keep(std::string sentence);

  std::string name_;
  UniqueFd fd_;
  std::vector<std::string> notices_;
};

}  // namespace pyrometer
