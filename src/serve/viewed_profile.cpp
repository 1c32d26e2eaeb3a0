#include "serve/viewed_profile.h"

#include <algorithm>
#include <map>

#include "analyze/main_metric.h"
#include "analyze/transform_with_regions.h"

namespace pyrometer {
namespace {

LoadingProfile loaded_already(SharedProfile profile) {
  std::promise<Result<SharedProfile>> promise;
  promise.set_value(std::move(profile));
  return promise.get_future().share();
}

ViewedProfile::Files make_files(const Profile& profile) {
  ViewedProfile::Files files;
  std::map<StringId, std::uint32_t> rows;
  for (const Function& function : profile.functions) {
    const std::string_view path = profile.text(function.file);
    if (path.empty() || path == "~") {
      files.of_function.push_back(ViewedProfile::Files::kNone);
      continue;
    }
    const auto [found, is_new] =
        rows.try_emplace(function.file, static_cast<std::uint32_t>(files.paths.size()));
    if (is_new) {
      files.paths.push_back(function.file);
      const bool has_name = !profile.text(function.short_file).empty();
      files.names.push_back(has_name ? function.short_file : function.file);
    }
    files.of_function.push_back(found->second);
  }
  return files;
}

}  // namespace

ViewedProfile::ViewedProfile(ProfileTitle title, SharedProfile whole)
    : title_(std::move(title)), summary_(whole), whole_(loaded_already(std::move(whole))) {}

ViewedProfile::ViewedProfile(ProfileTitle title, SharedProfile summary, LoadingProfile whole,
                             SharedRankFacts ranks)
    : title_(std::move(title)),
      summary_(std::move(summary)),
      whole_(std::move(whole)),
      ranks_(std::move(ranks)) {}

Result<const Profile*> ViewedProfile::whole() const {
  const Result<SharedProfile>& loaded = whole_.get();
  if (!loaded) return tl::unexpected(loaded.error());
  return loaded->get();
}

Result<MetricId> ViewedProfile::metric(std::string_view name) const {
  return name.empty() ? main_metric(*summary_) : named_metric(*summary_, name);
}

const Overview* ViewedProfile::overview() const {
  const auto make = [&]() -> std::unique_ptr<const Overview> {
    const auto metric = main_metric(*summary_);
    if (!metric) return nullptr;
    Overview overview = make_overview(*summary_, *metric);
    overview.ranks = ranks_;
    if (!overview.ranks) add_rank_facts(overview);
    return std::make_unique<const Overview>(std::move(overview));
  };
  return overview_.get(make).get();
}

Result<const RankFacts*> ViewedProfile::rank_facts() const {
  const auto has_rank = [](const Process& process) { return process.rank >= 0; };
  if (std::none_of(summary_->processes.begin(), summary_->processes.end(), has_rank)) {
    return fail(ErrorCode::kUnsupported, "No process of this profile is a rank of a parallel job.");
  }
  const Overview* known = overview();
  if (known == nullptr) {
    return fail(ErrorCode::kUnsupported, "The ranks of this profile have no values.");
  }
  if (known->ranks) return known->ranks.get();
  PYROMETER_TRY(const Profile* profile, whole());
  const SharedRankFacts& facts = ranks_of_whole_.get([&] {
    return profile->thread_cells.empty()
               ? nullptr
               : std::make_shared<const RankFacts>(make_rank_facts(*profile));
  });
  if (!facts) {
    return fail(ErrorCode::kUnsupported, "This profile does not tell its ranks apart.");
  }
  return facts.get();
}

Result<const ViewedProfile*> ViewedProfile::with_regions() const {
  const auto make = [&]() -> Result<std::unique_ptr<const ViewedProfile>> {
    PYROMETER_TRY(const Profile* profile, whole());
    PYROMETER_TRY(Profile with, pyrometer::with_regions(*profile));
    return std::make_unique<const ViewedProfile>(title_,
                                                 std::make_shared<const Profile>(std::move(with)));
  };
  const auto& made = with_regions_.get(make);
  if (!made) return tl::unexpected(made.error());
  return made->get();
}

const NodeOrder& ViewedProfile::order() const {
  return order_.get([&] {
    const auto metric = main_metric(*summary_);
    if (metric) return make_node_order(*summary_, summary_->node_totals[metric->row()]);
    return make_node_order(*summary_, std::vector<std::int64_t>(summary_->nodes.size()));
  });
}

const ViewedProfile::Files& ViewedProfile::files() const {
  return files_.get([&] { return make_files(*summary_); });
}

}  // namespace pyrometer
