// What functions or lines cost, under names that mean the same in every profile: the rows that
// diff and scale look for in several runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace pyrometer {

struct CostRow {
  std::string file;  // relative to the module search path, where that is known
  std::string name;  // qualified
  std::uint32_t first_line = 0;
  std::uint32_t line = 0;    // 0: the whole function
  std::string path = {};     // of the file as the program knew it, for its source
  std::int64_t value = 0;    // with callees, unless own values were asked for
  std::int64_t hits = 0;     // of a line; of a function its calls
  std::int64_t samples = 0;  // that the value is made of; 0 when nothing was sampled

  auto place() const { return std::tie(file, name, first_line, line); }
};

struct CostTable {
  Metric metric;
  bool is_sampled = false;  // values are estimates, as good as the samples are many
  // "Grid.step", where files of cProfile have "step".
  bool has_qualified_names = false;
  std::int64_t total = 0;  // own values of everything
  std::int64_t samples = 0;
  std::vector<CostRow> rows = {};  // by place, each once
};

struct CostChoice {
  bool lines = false;       // or functions
  bool self = false;        // without callees
  std::string metric = {};  // empty: what the profile is about
};

// A choice that a profile has an answer to.
struct CostSource {
  MetricId metric;
  MetricId own_metric;  // that adds up to the total: the same, but for exact lines
  bool lines = false;
  bool self = false;
};

// Whether lines were counted and timed one by one.
bool has_exact_lines(const Profile& profile);

Result<CostSource> find_cost_source(const Profile& profile, const CostChoice& choice);
CostTable make_cost_table(const Profile& profile, const CostSource& source);

}  // namespace pyrometer
