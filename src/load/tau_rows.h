// The rows of one TAU thread sorted out: timers, paths of them, and whether the paths are whole.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "formats/tau_names.h"
#include "formats/tau_profile.h"
#include "profile/builder.h"

namespace pyrometer {

// Every name that rows and paths are made of, once.
class TauNames {
 public:
  struct Name {
    FunctionId function;
    std::uint32_t line = 0;  // of samples
    TauFrameKind kind = TauFrameKind::kTimer;
    bool is_application = false;  // ".TAU application": all of the program
    std::uint32_t timer = 0;      // the name of the timer that a context stands for, else itself
    // Stands for something that its neighbours in a path say better.
    bool is_transparent() const {
      return kind == TauFrameKind::kContext || kind == TauFrameKind::kSummary;
    }
  };

  TauNames(ProfileBuilder& builder, const TauProfile& tau);

  const Name& operator[](std::uint32_t name) const { return names_[name]; }
  // The names that a function of TAU is made of: one, or a path. Empty when ParaProf or TAU derived
  // it from other rows.
  std::span<const std::uint32_t> of_function(std::uint32_t function) const {
    return paths_[function];
  }

 private:
  // `is_timer`: what a context stands for, which is taken as it is, whatever a hostile file says.
  std::uint32_t add(ProfileBuilder& builder, std::string_view text, const std::string& groups,
                    bool is_timer = false);

  std::vector<Name> names_;
  std::vector<std::vector<std::uint32_t>> paths_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

class TauRows {
 public:
  struct Path {
    std::size_t row = 0;
    std::span<const std::uint32_t> names;
  };
  // What the paths that end in a timer leave of its totals.
  struct Rest {
    std::uint32_t name = 0;
    double calls = 0;
    std::vector<double> exclusive;  // by metric
  };

  TauRows(const TauProfile& tau, const TauThread& thread, const TauNames& names);

  const std::vector<Path>& flat() const { return flat_; }
  const std::vector<Path>& paths() const { return paths_; }
  std::vector<Rest> unexplained() const;

  // TAU cuts paths to TAU_CALLPATH_DEPTH names: then they begin with timers that somebody called.
  bool has_whole_paths() const;
  // The whole program as a timer spent nothing itself: it only holds the others together.
  bool application_is_empty() const;

  // What samples below a timer took of its own time: the row of its context, where it has one.
  std::optional<std::size_t> context_of(std::uint32_t timer) const;

  // Caller and callee at the end of a path, unless the path has that call further up, too.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> last_edge(const Path& path) const;

 private:
  const TauProfile& tau_;
  const TauThread& thread_;
  const TauNames& names_;
  std::vector<Path> flat_, paths_;
  std::map<std::uint32_t, std::size_t> contexts_;  // by timer
  std::map<std::uint32_t, Rest> ending_;  // by name: what the paths that end in it add up to
};

}  // namespace pyrometer
