// From profiles to pictures of their call graphs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/prune_graph.h"
#include "analyze/transform_fold.h"
#include "base/file.h"
#include "base/result.h"
#include "export/dot.h"

namespace pyrometer {

// What the user wants to see, whatever the profile.
struct GraphRequest {
  std::string metric;  // empty: the main one
  GraphPruning pruning;
  DotOptions dot;
  FoldRules folding{.wrappers = false};
  bool with_regions = false;
  bool json = false;
};

// The profile without the functions that the user wants folded into their callers; nothing: it is
// wanted as it is, or nothing of the kind is in it, which a note then says.
Result<std::optional<Profile>> fold_for_graph(const Profile& profile, const GraphRequest& request,
                                              std::vector<std::string>& notes);

// The graph of everything in a profile, or of some of its threads (nullptr: all).
Result<ShareGraph> graph_of(const Profile& profile, const GraphRequest& request,
                            const std::vector<bool>* threads = nullptr);

struct Drawing {
  std::string text;  // DOT, or JSON
  std::size_t shown = 0;
  PrunedNodes hidden;
};

Result<Drawing> draw_graph(ShareGraph graph, const GraphRequest& request);

// Whether a file of this name can be written: by its extension.
Result<void> check_picture_name(const Path& output, bool json);

// DOT and JSON as they are; for everything else Graphviz is asked to make of the DOT what the
// extension says. Returns what Graphviz had to say.
Result<std::string> write_picture(const Path& output, const Drawing& drawing);

struct PerRankOutcome {
  std::vector<std::string> written;
  std::vector<std::string> notes;  // what the user should know: files left out, limits reached
};

// One picture per rank, or per input file where no process has a rank, on all cores.
Result<PerRankOutcome> draw_per_rank(std::span<const Path> paths, const std::string& output,
                                     const GraphRequest& request);

}  // namespace pyrometer
