// The report of a profile, as text for a terminal or as one JSON document.
#pragma once

#include <string>
#include <vector>

#include "analyze/groups.h"
#include "analyze/overview.h"
#include "analyze/selection.h"

namespace pyrometer {

struct ReportOptions {
  Selection selection;
  bool callers = false;
  bool callees = false;
  bool lines = false;
  bool loops = false;
  bool tree = false;
  bool bottom_up = false;
  bool threads = false;
  bool processes = false;
  bool regions = false;
  bool tasks = false;
  std::vector<GroupBy> group_by = {};
  std::vector<Pattern> sandwich = {};  // functions to show between their callers and callees
  std::uint32_t depth = 12;            // levels of trees
  double least_share = 0.005;          // branches of trees below it are left out
  double least_row_share = 0;          // rows of tables likewise
  bool use_color = false;
};

// A profile with what was done to it before it came here.
struct ReportSubject {
  const Overview& overview;         // what tables of functions, lines and groups show
  const Overview* paths = nullptr;  // trees, callers and callees; null: the same
  struct Folding {
    std::size_t frames = 0;
    std::vector<std::string> functions = {};
    bool is_estimated = false;
  };
  Folding folding = {};           // what `paths` leaves out
  std::string focus = {};         // the patterns that all paths pass; empty: everything is there
  std::string region = {};        // the only one that counts; empty: everything does
  std::int64_t left_out = 0;      // times that regions ended, but not on the timeline
  std::int64_t whole = 0;         // the metric before focusing
  std::string metric_words = {};  // why this metric, where a flag chose it

  bool is_whole() const { return focus.empty() && region.empty(); }
  const Overview& of_paths() const { return paths == nullptr ? overview : *paths; }
};

std::string report_text(const ReportSubject& subject, const ReportOptions& options);
std::string report_text(const Overview& overview, const ReportOptions& options);

// docs/report.schema.json describes it.
std::string report_json(const ReportSubject& subject, const ReportOptions& options);

}  // namespace pyrometer
