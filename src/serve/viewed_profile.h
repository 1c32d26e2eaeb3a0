// One profile as the view shows it: read once, never changed, asked by many connections at a time.
// A merged file of ten thousand ranks is shown as soon as its summary is read; who needs what each
// thread did waits until all of it is there.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "analyze/overview.h"
#include "base/result.h"
#include "profile/profile.h"
#include "serve/lazy.h"
#include "serve/node_order.h"

namespace pyrometer {

struct ProfileTitle {
  std::string name;          // of the file or run directory
  std::string program = {};  // what was recorded, where that is known: "wave.py"
};

using SharedProfile = std::shared_ptr<const Profile>;
// What a summary has, and the rest; tables have the same rows in both.
using LoadingProfile = std::shared_future<Result<SharedProfile>>;
using SharedRankFacts = std::shared_ptr<const RankFacts>;

class ViewedProfile {
 public:
  ViewedProfile(ProfileTitle title, SharedProfile whole);
  // `ranks`: what a merged file keeps about them; null: to be found out.
  ViewedProfile(ProfileTitle title, SharedProfile summary, LoadingProfile whole,
                SharedRankFacts ranks = nullptr);

  const ProfileTitle& title() const { return title_; }

  // Totals over everything; values of threads and what happened when may be missing.
  const Profile& summary() const { return *summary_; }
  // Everything. Waits while it is being read.
  Result<const Profile*> whole() const;

  // The metric by its name; without a name the main one.
  Result<MetricId> metric(std::string_view name) const;
  // Through the main metric; null where nothing was measured but, perhaps, counters.
  const Overview* overview() const;
  // About the ranks of a parallel job. Waits for everything where neither the summary has the
  // values of threads nor the file their facts.
  Result<const RankFacts*> rank_facts() const;
  // The same with the program's regions among the frames of its paths. Waits for everything.
  Result<const ViewedProfile*> with_regions() const;
  const NodeOrder& order() const;
  // The source files of functions, each once; and by function its row, or none.
  struct Files {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    std::vector<StringId> paths, names;
    std::vector<std::uint32_t> of_function;
  };
  const Files& files() const;

 private:
  ProfileTitle title_;
  SharedProfile summary_;
  LoadingProfile whole_;
  SharedRankFacts ranks_;
  Lazy<std::unique_ptr<const Overview>> overview_;
  Lazy<SharedRankFacts> ranks_of_whole_;
  Lazy<Result<std::unique_ptr<const ViewedProfile>>> with_regions_;
  Lazy<NodeOrder> order_;
  Lazy<Files> files_;
};

}  // namespace pyrometer
