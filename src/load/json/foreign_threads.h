// The processes and threads of a foreign file, each made when it is first named.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "profile/builder.h"

namespace pyrometer {

class ForeignThreads {
 public:
  explicit ForeignThreads(ProfileBuilder& builder) : builder_(builder) {}

  // The labels tell processes and threads apart; numbers in them become pid and tid.
  ProcessId process(const std::string& label);
  // Fails beyond 10,000 threads: each takes kilobytes, and its line in a file may take thirty
  // bytes.
  Result<ThreadId> thread(const std::string& process_label, const std::string& label);

  // Those that were made already.
  std::optional<ProcessId> find_process(const std::string& label) const;
  std::optional<ThreadId> find_thread(const std::string& process_label,
                                      const std::string& label) const;

  void set_name(ThreadId thread, std::string_view name);
  // Something happened in this thread then; the process's duration covers it.
  void saw(ThreadId thread, std::int64_t start, std::int64_t end);

 private:
  struct Life {
    bool has_threads = false;
    std::int64_t start = INT64_MAX;
    std::int64_t end = INT64_MIN;
  };

  ProfileBuilder& builder_;
  std::map<std::string, ProcessId> processes_;
  std::map<std::pair<std::string, std::string>, ThreadId> threads_;
  std::vector<Life> lives_;  // by process
};

}  // namespace pyrometer
