// What TAU measures, as its files hold it: text files `profile.NODE.CONTEXT.THREAD`, in a folder
// `MULTI__<METRIC>` for each metric when there are several, or all of it in one packed file (.ppk).
// A row is a timer, or a path of timers "a => b => c" that ends in the one that is meant; TAU
// writes both kinds. Values of time metrics are microseconds, exclusive ones without timers that
// are called.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pyrometer {

inline constexpr std::size_t kMostTauMetrics = 256;  // ten times what TAU measures at once

struct TauFunction {
  std::string name;
  std::string groups;  // "TAU_CALLPATH|MPI"

  friend bool operator==(const TauFunction&, const TauFunction&) = default;
};

struct TauRow {
  std::uint32_t function = 0;
  double calls = 0;
  double subroutines = 0;

  friend bool operator==(const TauRow&, const TauRow&) = default;
};

struct TauValue {
  double exclusive = 0;
  double inclusive = 0;

  friend bool operator==(const TauValue&, const TauValue&) = default;
};

// What a program told TAU itself: message sizes, memory in use.
struct TauEvent {
  std::uint32_t name = 0;
  double count = 0;
  double largest = 0;
  double smallest = 0;
  double mean = 0;
  double sum_of_squares = 0;

  friend bool operator==(const TauEvent&, const TauEvent&) = default;
};

using TauMetadata = std::vector<std::pair<std::string, std::string>>;

// Node (the rank), context (always 0 today), thread.
struct TauPlace {
  std::int32_t node = 0;
  std::int32_t context = 0;
  std::int32_t thread = 0;

  friend auto operator<=>(const TauPlace&, const TauPlace&) = default;
};

struct TauThread {
  TauPlace place;
  TauMetadata metadata;
  std::vector<TauRow> rows;
  std::vector<std::vector<TauValue>> values;  // by metric, then by row; missing ones are zeros
  std::vector<TauEvent> events;

  TauValue value(std::size_t metric, std::size_t row) const {
    const bool is_there = metric < values.size() && row < values[metric].size();
    return is_there ? values[metric][row] : TauValue{};
  }
};

struct TauProfile {
  std::vector<std::string> metrics;
  std::vector<TauFunction> functions;
  std::vector<std::string> events;  // their names
  TauMetadata metadata;             // of all threads
  std::vector<TauThread> threads;
};

// Collects text files. Rows of the same name are added up, as ParaProf does; a file that cannot be
// read changes nothing that matters: the caller may go on with the next one.
class TauTextReader {
 public:
  // Errors name the line, the caller adds the file.
  Result<void> add(std::string_view text, TauPlace place);
  TauProfile take() { return std::move(profile_); }

 private:
  TauThread& thread(TauPlace place);
  std::uint32_t function(std::string_view name, std::string_view groups);
  std::uint32_t event(std::string_view name);
  std::size_t metric(const std::string& name);
  Result<void> add_events(class NumberedLines& lines, TauThread& to);

  TauProfile profile_;
  std::map<TauPlace, std::size_t> threads_;
  std::map<std::string, std::uint32_t, std::less<>> functions_, events_;
};

// "12 templated_functions_MULTI_TIME"
bool looks_like_tau_text(std::string_view prefix);

// "profile.0.0.3"; nothing for any other name.
bool parse_tau_file_name(std::string_view name, TauPlace& place);

// One file: a thread seen through one metric.
std::string write_tau_text(const TauProfile& profile, const TauThread& thread, std::size_t metric);
// "MULTI__TIME": where it stands when there are several metrics.
std::string tau_metric_folder(std::string_view metric);

// The packed file, inflated.
bool looks_like_ppk(std::string_view prefix);
Result<TauProfile> read_ppk(std::string_view inflated);
// An error when a name is longer than the format can hold. Not yet packed.
Result<std::string> write_ppk(const TauProfile& profile);

}  // namespace pyrometer
