// Every request of docs/view-data.md and who answers it. An answer is one file here and one line in
// the table of answers.cpp: a pure function of the profile and the request.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "serve/request.h"
#include "serve/viewed_profile.h"

namespace pyrometer {

// A profile with what may change while it is looked at.
struct ProfileVersion {
  std::shared_ptr<const ViewedProfile> profile;
  std::uint32_t generation = 0;
  bool is_live = false;
};

// All profiles at one moment: whoever holds it keeps them, also when they are read again meanwhile.
using ProfileVersions = std::vector<ProfileVersion>;

// What a path such as "api/0/values" says of `profiles`.
Result<Answer> answer(const ProfileVersions& profiles, const Request& request);

Result<Answer> answer_summary(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_tables(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_values(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_functions(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_calls(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_lines(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_source(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_ranks(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_parallel(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_timeline(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_samples(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_memory(const ViewedProfile& viewed, const Request& request);
Result<Answer> answer_export(const ViewedProfile& viewed, const Request& request);

Result<Answer> answer_profiles(const ProfileVersions& profiles, const Request& request);
Result<Answer> answer_diff(const ProfileVersions& profiles, const Request& request);
Result<Answer> answer_scaling(const ProfileVersions& profiles, const Request& request);

// The metrics of `metric=wall,cpu`; without any the main one.
Result<std::vector<MetricId>> metrics_of(const ViewedProfile& viewed, const Request& request);

}  // namespace pyrometer
