#include "serve/page_requests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "analyze/memory/memory_figures.h"
#include "analyze/origin.h"
#include "analyze/time_tracks.h"
#include "analyze/transform_with_regions.h"
#include "base/format_value.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostThreads = 64;
constexpr std::uint64_t kMostSamples = 300'000;
constexpr std::size_t kMostNodesPerThread = 300'000;  // where values per thread are embedded
constexpr std::size_t kMostSourceBytes = 4U << 20;
constexpr double kLeastOfLibrary = 0.01;  // of everything, for the text of a library's file
constexpr std::size_t kMostRankValues = 1U << 20;
constexpr std::size_t kRankRows = 100;
constexpr std::size_t kMostProcessesOfMemory = 8;  // whose memory is told of each
constexpr std::size_t kMostCompared = 3;           // profiles of which each is compared with each

class PageAnswers {
 public:
  PageAnswers(const ProfileVersions& profiles, bool without_sources)
      : profiles_(profiles), without_sources_(without_sources) {}

  Result<void> add_all() {
    PYROMETER_TRY_VOID(add("api/profiles"));
    for (std::size_t i = 0; i < profiles_.size(); ++i) PYROMETER_TRY_VOID(add_profile(i));
    add_comparisons();
    return {};
  }
  std::vector<PageAnswer> take() { return std::move(answers_); }

 private:
  // Parameters are as the application writes them; names of metrics are escaped like there.
  Result<Answer> ask(const std::string& text, const std::vector<std::string>& notes = {}) const {
    PYROMETER_TRY(Request request, parse_request(text));
    request.is_packed = true;
    request.notes = notes;
    request.without_sources = without_sources_;
    return answer(profiles_, request);
  }

  Result<void> add(const std::string& text, const std::vector<std::string>& notes = {}) {
    PYROMETER_TRY(Answer answered, ask(text, notes));
    answers_.push_back({text, std::move(answered)});
    return {};
  }

  // What a profile cannot tell, its page does not have.
  void add_if_known(const std::string& text) {
    if (auto answered = ask(text)) answers_.push_back({text, *std::move(answered)});
  }

  Result<void> add_profile(std::size_t number) {
    const ViewedProfile& viewed = *profiles_[number].profile;
    PYROMETER_TRY(const Profile* profile, viewed.whole());
    const std::string base = fmt::format("api/{}/", number);
    const std::vector<std::string> metrics = metrics_of_nodes(*profile);
    std::vector<std::string> notes;
    PYROMETER_TRY_VOID(add(base + "tables"));
    if (!metrics.empty()) add_values(base, *profile, metrics, notes);
    for (const std::string& metric : all_metrics(*profile)) {
      add_if_known(fmt::format("{}functions?metric={}", base, metric));
      add_if_known(fmt::format("{}calls?metric={}", base, metric));
    }
    if (!profile->line_values.empty()) add_if_known(base + "lines");
    if (has_memory_figures(*profile) || !profile->counters.empty()) add_memory(base, *profile);
    add_ranks(base, *profile, metrics, notes);
    add_timeline(base, *profile, notes);
    if (can_show_regions_in_paths(*profile)) {
      // What the paths that contain regions need; what is too much was said already.
      std::vector<std::string> same_notes;
      PYROMETER_TRY_VOID(add(base + "regions/tables"));
      if (!metrics.empty()) add_values(base + "regions/", *profile, metrics, same_notes);
      add_samples(base + "regions/", *profile, same_notes);
    }
    if (!without_sources_) add_sources(base, viewed, *profile, notes);
    return add(base + "summary", notes);
  }

  void add_memory(const std::string& base, const Profile& profile) {
    add_if_known(base + "memory");
    const std::size_t processes = profile.processes.size();
    if (processes < 2 || processes > kMostProcessesOfMemory) return;
    for (std::size_t i = 0; i < processes; ++i) {
      add_if_known(fmt::format("{}memory?processes={}", base, i));
    }
  }

  static std::string escaped(std::string_view name) {
    std::string text;
    for (const char c : name) {
      const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                            (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
      text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return text;
  }

  static std::vector<std::string> all_metrics(const Profile& profile) {
    std::vector<std::string> names;
    for (const Metric& metric : profile.metrics) names.push_back(escaped(metric.name));
    return names;
  }

  static std::vector<std::string> metrics_of_nodes(const Profile& profile) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < profile.metrics.size(); ++i) {
      const auto& totals = profile.node_totals[i];
      const bool any = std::any_of(totals.begin(), totals.end(), [](auto v) { return v != 0; });
      if (any) names.push_back(escaped(profile.metrics[i].name));
    }
    return names;
  }

  void add_values(const std::string& base, const Profile& profile,
                  const std::vector<std::string>& metrics, std::vector<std::string>& notes) {
    const std::string request = fmt::format("{}values?metric={}", base, fmt::join(metrics, ","));
    add_if_known(request);
    const std::size_t threads = profile.threads.size();
    if (threads < 2) return;
    if (threads > kMostThreads || profile.nodes.size() > kMostNodesPerThread) {
      notes.push_back(fmt::format(
          "This page holds the values of all {} threads together, not of each one; 'pyrometer "
          "view' with the profile itself shows them.",
          format_count(static_cast<std::int64_t>(threads))));
      return;
    }
    for (std::size_t i = 0; i < threads; ++i) {
      add_if_known(fmt::format("{}&threads={}", request, i));
    }
  }

  void add_ranks(const std::string& base, const Profile& profile,
                 const std::vector<std::string>& metrics, std::vector<std::string>& notes) {
    if (profile.processes.size() < 2) return;
    add_if_known(base + "parallel");
    std::size_t left = kMostRankValues;
    const std::size_t rows = std::min(kRankRows, profile.functions.size());
    for (const std::string& metric : metrics) {
      for (const std::string_view by : {"self", "total"}) {
        if (rows * profile.processes.size() > left) {
          notes.push_back(fmt::format(
              "This page compares processes by some metrics only; 'pyrometer view' with the "
              "profile itself does so by all, such as {}.",
              metric));
          return;
        }
        left -= rows * profile.processes.size();
        add_if_known(fmt::format("{}ranks?metric={}&by={}&most={}", base, metric, by, kRankRows));
      }
    }
  }

  void add_timeline(const std::string& base, const Profile& profile,
                    std::vector<std::string>& notes) {
    const bool has_time = !make_time_tracks(profile).empty();
    if (!has_time && profile.regions.empty() && profile.counters.empty()) return;
    add_if_known(base + "timeline?by=thread&buckets=1000");
    add_if_known(base + "timeline?by=process&buckets=1000");
    add_samples(base, profile, notes);
  }

  void add_samples(const std::string& base, const Profile& profile,
                   std::vector<std::string>& notes) {
    const std::vector<TimeTrack> tracks = make_time_tracks(profile);
    if (tracks.empty()) return;
    std::uint64_t samples = 0;
    std::vector<std::string> metrics;
    for (const TimeTrack& track : tracks) {
      samples += track.size();
      for (const MetricId metric : track.metrics) {
        const std::string name = escaped(profile.metrics[metric.row()].name);
        if (std::find(metrics.begin(), metrics.end(), name) == metrics.end()) {
          metrics.push_back(name);
        }
      }
    }
    if (samples > kMostSamples || profile.threads.size() > kMostThreads) {
      notes.push_back(fmt::format(
          "This page leaves out its {} samples in time, so a range of time cannot be looked at by "
          "itself; 'pyrometer view' with the profile itself can.",
          format_count(static_cast<std::int64_t>(samples))));
      return;
    }
    for (std::size_t i = 0; i < profile.threads.size(); ++i) {
      add_if_known(fmt::format("{}samples?thread={}&metric={}", base, i, fmt::join(metrics, ",")));
    }
  }

  // Files whose functions took most, as far as there is room. Libraries are many and everybody has
  // them: only where one is hot its text is worth its bytes.
  void add_sources(const std::string& base, const ViewedProfile& viewed, const Profile& profile,
                   std::vector<std::string>& notes) {
    const ViewedProfile::Files& files = viewed.files();
    const Origins origins(profile);
    std::vector<std::int64_t> weights(files.paths.size());
    std::vector<bool> is_library(files.paths.size());
    std::int64_t whole = 0;
    const auto add_weight = [&](FunctionId function, std::int64_t weight) {
      const std::uint32_t file = files.of_function[function.row()];
      whole += weight;
      if (file == ViewedProfile::Files::kNone) return;
      weights[file] += std::max<std::int64_t>(1, weight);
      is_library[file] = origins.is_library(function);
    };
    if (const Overview* overview = viewed.overview(); overview != nullptr) {
      for (const FunctionCost& cost : overview->graph.functions) {
        add_weight(cost.function, cost.self);
      }
    }
    for (const LineValue& line : profile.line_values) add_weight(line.function, line.value);
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
    std::size_t left = kMostSourceBytes;
    std::size_t missing = 0;
    for (const std::size_t file : order) {
      if (weights[file] == 0) break;
      const double share = static_cast<double>(weights[file]) / static_cast<double>(whole);
      if (is_library[file] && share < kLeastOfLibrary) continue;
      const std::string request = fmt::format("{}source?file={}", base, file);
      auto answered = ask(request);
      if (!answered || answered->body.find(R"("from":"none")") != std::string::npos) continue;
      if (answered->body.size() > left) {
        ++missing;
        continue;
      }
      left -= answered->body.size();
      answers_.push_back({request, *std::move(answered)});
    }
    if (missing != 0) {
      notes.push_back(fmt::format("This page has no room for the text of {}.",
                                  format_plural(missing, "source file", "source files")));
    }
  }

  void add_comparisons() {
    if (profiles_.size() < 2) return;
    const auto metric = profiles_[0].profile->metric("");
    if (!metric) return;
    const Profile& first = profiles_[0].profile->summary();
    const std::string name = escaped(first.metrics[metric->row()].name);
    const std::size_t compared = std::min(kMostCompared, profiles_.size());
    for (const std::string_view by : {"functions", "lines"}) {
      add_if_known(fmt::format("api/scaling?by={}&metric={}", by, name));
      for (std::size_t before = 0; before < compared; ++before) {
        for (std::size_t after = 0; after < compared; ++after) {
          if (before == after) continue;
          for (const int normalise : {0, 1}) {
            add_if_known(fmt::format("api/diff?before={}&after={}&metric={}&by={}&normalise={}",
                                     before, after, name, by, normalise));
          }
        }
      }
    }
  }

  const ProfileVersions& profiles_;
  bool without_sources_;
  std::vector<PageAnswer> answers_;
};

}  // namespace

Result<std::vector<PageAnswer>> answers_for_page(const ProfileVersions& profiles,
                                                 bool without_sources) {
  PageAnswers answers(profiles, without_sources);
  PYROMETER_TRY_VOID(answers.add_all());
  return answers.take();
}

}  // namespace pyrometer
