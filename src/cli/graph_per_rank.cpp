// pyrometer graph --per-rank
#include <atomic>
#include <functional>
#include <map>
#include <thread>

#include "cli/graph_drawing.h"
#include "cli/graph_names.h"
#include "cli/with_regions.h"

namespace pyrometer {
namespace {

struct Piece {
  GraphNameParts parts;
  std::function<Result<ShareGraph>()> make;
  bool is_of_run = false;  // a broken file there must not hide the others
};

// By rank: which threads of the profile are its own. Processes without one come first.
std::map<std::int64_t, std::vector<bool>> threads_by_rank(const Profile& profile) {
  std::map<std::int64_t, std::vector<bool>> ranks;
  for (std::size_t i = 0; i < profile.threads.size(); ++i) {
    const std::int64_t rank = profile.processes[profile.threads[i].process.row()].rank;
    std::vector<bool>& threads = ranks[rank];
    threads.resize(profile.threads.size());
    threads[i] = true;
  }
  return ranks;
}

bool has_ranks(const Profile& profile) {
  return std::any_of(profile.processes.begin(), profile.processes.end(),
                     [](const Process& process) { return process.rank >= 0; });
}

std::vector<Piece> pieces_by_rank(const Profile& profile, const GraphRequest& request) {
  std::vector<Piece> pieces;
  for (auto& [rank, threads] : threads_by_rank(profile)) {
    Piece piece;
    if (rank >= 0) piece.parts.rank = rank;
    piece.parts.stem = rank >= 0 ? "rank" + std::to_string(rank) : "none";
    piece.make = [&profile, &request, threads = std::move(threads)] {
      return graph_of(profile, request, &threads);
    };
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Result<ShareGraph> graph_of_file(const Path& path, const GraphRequest& request) {
  const bool wants = request.with_regions;
  PYROMETER_TRY(const Profile profile,
                load_file(path, detail_with_regions(wants, Detail::kSummary)));
  PYROMETER_TRY(const std::optional<Profile> with, part_with_regions(profile, wants));
  const Profile& whole = with ? *with : profile;
  std::vector<std::string> said_of_all;
  PYROMETER_TRY(const std::optional<Profile> folded, fold_for_graph(whole, request, said_of_all));
  return graph_of(folded ? *folded : whole, request);
}

Result<std::vector<Piece>> pieces_by_file(std::span<const Path> paths,
                                          const GraphRequest& request) {
  PYROMETER_TRY(const std::vector<Input> inputs, expand_inputs(paths));
  std::vector<Piece> pieces;
  for (const Input& input : inputs) {
    pieces.push_back(
        {.parts = {.rank = {}, .stem = input.path.stem().string()},
         .make = [path = input.path, &request] { return graph_of_file(path, request); },
         .is_of_run = input.is_of_run});
  }
  return pieces;
}

struct PieceOutcome {
  Result<std::string> remark = std::string();  // Graphviz's
  bool is_loaded = true;
  std::size_t hidden = 0;  // functions beyond the limit
};

PieceOutcome draw_piece(const Piece& piece, const std::string& name, const GraphRequest& request) {
  auto graph = piece.make();
  if (!graph) return {.remark = tl::unexpected(graph.error()), .is_loaded = false};
  const auto drawing = draw_graph(*std::move(graph), request);
  if (!drawing) return {.remark = tl::unexpected(drawing.error())};
  return {.remark = write_picture(name, *drawing), .hidden = drawing->hidden.too_many};
}

std::vector<PieceOutcome> draw_all(const std::vector<Piece>& pieces,
                                   const std::vector<std::string>& names,
                                   const GraphRequest& request) {
  std::vector<PieceOutcome> outcomes(pieces.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < pieces.size(); i = next++) {
      outcomes[i] = draw_piece(pieces[i], names[i], request);
    }
  };
  const std::size_t workers =
      std::min<std::size_t>(pieces.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace

Result<PerRankOutcome> draw_per_rank(std::span<const Path> paths, const std::string& output,
                                     const GraphRequest& request) {
  PYROMETER_TRY(const Profile loaded,
                load_paths(paths, request.with_regions, {Detail::kValues, {}}));
  std::vector<std::string> notes = loaded.notes;
  PYROMETER_TRY(const std::optional<Profile> folded, fold_for_graph(loaded, request, notes));
  const Profile& profile = folded ? *folded : loaded;
  std::vector<Piece> pieces = pieces_by_rank(profile, request);
  if (!has_ranks(profile)) {
    PYROMETER_TRY(pieces, pieces_by_file(paths, request));
  }
  std::vector<GraphNameParts> parts;
  for (const Piece& piece : pieces) parts.push_back(piece.parts);
  PYROMETER_TRY(const std::vector<std::string> names, make_graph_names(output, parts));
  const std::vector<PieceOutcome> outcomes = draw_all(pieces, names, request);

  PerRankOutcome all{.written = {}, .notes = std::move(notes)};
  std::size_t limited = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Result<std::string>& remark = outcomes[i].remark;
    if (!outcomes[i].is_loaded && pieces[i].is_of_run) continue;  // the notes say so already
    if (!remark) return tl::unexpected(remark.error());
    all.written.push_back(names[i]);
    if (!remark->empty()) all.notes.push_back(fmt::format("{}: {}", names[i], *remark));
    if (outcomes[i].hidden > 0) ++limited;
  }
  if (limited > 0 && !request.json) {  // which counts what is hidden itself
    all.notes.push_back(fmt::format(
        "{} of {} graphs show only their {} heaviest functions; --max-nodes 0 shows all", limited,
        outcomes.size(), request.pruning.most_nodes));
  }
  return all;
}

}  // namespace pyrometer
