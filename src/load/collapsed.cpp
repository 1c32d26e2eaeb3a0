#include "load/collapsed.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "formats/collapsed_frame.h"
#include "profile/builder.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

using Role = CollapsedFrame::Role;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::int64_t kMicrosecond = 1000;
// The values of a thread take up to 8 bytes for 512 nodes of others: 2 GB at the very worst.
constexpr std::size_t kMostThreads = 8192;

bool is_of_austin(const CollapsedFile& file) {
  if (!file.metadata_of("austin").empty()) return true;
  // Its lines alone, as after `sed '/^#/d'`: the first path is "P12;T0:13".
  if (file.nodes.size() < 2 || file.nodes[1].parent != 0) return false;
  const auto role = [&](std::size_t node) {
    return parse_collapsed_frame(file.frames[file.nodes[node].frame], true).role;
  };
  return role(0) == Role::kProcess && role(1) == Role::kThread &&
         file.frames[file.nodes[0].frame].starts_with('P');
}

// What the numbers of a file mean.
class CollapsedMetrics {
 public:
  CollapsedMetrics(ProfileBuilder& builder, const CollapsedFile& file, bool is_austin)
      : is_austin_(is_austin) {
    const std::string_view mode = file.metadata_of("mode");
    const auto add = [&](std::string_view name, Unit unit) {
      return builder.metric({std::string(name), unit});
    };
    has_time_ = is_austin && mode != "memory";
    has_memory_ = is_austin && (mode == "memory" || file.has_full_metrics);
    if (has_time_ && has_memory_) is_full_ = true;
    // Memory alone has no count of samples beside it: views would show that first.
    if (has_time_ || !has_memory_) samples_ = add(metric::kSamples, Unit::kCount);
    if (has_time_) {
      const bool is_cpu = mode == "cpu" && !is_full_;
      time_ = add(is_cpu ? metric::kCpu : metric::kWall, Unit::kNanoseconds);
    }
    if (is_full_) busy_ = add(metric::kCpu, Unit::kNanoseconds);
    if (has_memory_) {
      allocated_ = add(metric::kAllocated, Unit::kBytes);
      freed_ = add(metric::kFreed, Unit::kBytes);
    }
  }

  void add(ValueRows::Row row, const CollapsedFile::Values& values) const {
    if (!samples_.is_none()) row[samples_] += is_austin_ ? values.lines : values.value;
    if (has_time_) row[time_] += values.value * kMicrosecond;
    if (is_full_) row[busy_] += values.busy * kMicrosecond;
    if (!has_memory_) return;
    row[allocated_] += is_full_ ? values.allocated : values.value + values.negative;
    row[freed_] += is_full_ ? values.freed : values.negative;
  }

  // The time of one row in nanoseconds, where time was measured.
  std::int64_t time(const CollapsedFile::Values& values) const {
    return has_time_ ? values.value * kMicrosecond : 0;
  }

 private:
  bool is_austin_;
  bool has_time_ = false;
  bool has_memory_ = false;
  bool is_full_ = false;
  MetricId samples_, time_, busy_, allocated_, freed_;
};

class CollapsedLoader {
 public:
  explicit CollapsedLoader(const CollapsedFile& file)
      : file_(file),
        is_austin_(is_of_austin(file)),
        metrics_(builder_, file, is_austin_),
        functions_(file.frames.size()),
        places_(file.nodes.size()) {
    frames_.reserve(file.frames.size());
    for (const std::string& text : file.frames) {
      frames_.push_back(parse_collapsed_frame(text, is_austin_));
    }
  }

  Result<Profile> load() {
    for (std::size_t i = 0; i < file_.nodes.size() && threads_.size() <= kMostThreads; ++i) {
      const CollapsedFile::Node& node = file_.nodes[i];
      const Place above = node.parent == CollapsedFile::kNone ? Place{} : places_[node.parent];
      places_[i] = below(above, node.frame);
      if (node.values == CollapsedFile::kNone) continue;
      add_values(places_[i], file_.values[node.values]);
    }
    if (threads_.size() > kMostThreads) {
      return fail(ErrorCode::kTooLarge, "it has more than the {} threads that are read at most",
                  kMostThreads);
    }
    Profile& profile = builder_.profile();
    for (std::size_t thread = 0; thread < times_.size(); ++thread) {
      Process& process = profile.processes[profile.threads[thread].process.row()];
      process.duration = std::max(process.duration, times_[thread]);
    }
    profile.is_sampled = true;
    if (file_.skipped_lines > 0) {
      profile.notes.push_back(fmt::format("left out: {} lines that are no stacks, first line {}",
                                          file_.skipped_lines, file_.first_skipped_line));
    }
    return builder_.finish();
  }

 private:
  // Where a path has led so far.
  struct Place {
    ProcessId process;
    ThreadId thread;
    NodeId node;                     // none: no code yet
    bool is_inside_command = false;  // of a process frame that has a ';' of its own
  };

  Place below(Place place, std::uint32_t frame) {
    const CollapsedFrame& said = frames_[frame];
    if (place.is_inside_command) {
      place.is_inside_command = !file_.frames[frame].ends_with('"');
      return place;
    }
    const bool is_at_root = place.node.is_none();
    if (is_at_root && file_.frames[frame].empty()) return place;
    if (said.role == Role::kLine && !is_at_root) {
      const Node& above = builder_.profile().nodes[place.node.row()];
      place.node = builder_.node(above.parent, above.function, said.line);
    } else if (said.role == Role::kProcess && is_at_root) {
      place = {.process = process(said, place.process), .is_inside_command = said.is_open};
    } else if (said.role == Role::kThread && is_at_root) {
      if (said.pid != 0) place.process = process({.pid = said.pid}, {});
      place.thread = thread(said, place.process);
      place.process = builder_.profile().threads[place.thread.row()].process;
    } else {
      place.node = builder_.node(place.node, function(frame), said.line);
    }
    return place;
  }

  ProcessId process(const CollapsedFrame& said, ProcessId parent) {
    const auto [found, is_new] = processes_.try_emplace(
        said.pid, ProcessId::from_index(builder_.profile().processes.size()));
    if (is_new) {
      Process process{.pid = said.pid};
      if (!parent.is_none()) {
        process.parent_pid = builder_.profile().processes[parent.row()].pid;
      }
      if (!said.name.empty()) process.attributes.emplace_back("command", std::string(said.name));
      builder_.add_process(std::move(process));
    }
    return found->second;
  }

  ThreadId thread(const CollapsedFrame& said, ProcessId process) {
    if (process.is_none()) process = this->process({}, {});
    const std::pair key(process.row(), said.tid);
    const auto found = threads_.find(key);
    if (found != threads_.end()) {
      // py-spy knows the name of a thread only while it runs Python code.
      Thread& thread = builder_.profile().threads[found->second.row()];
      if (!said.name.empty()) thread.name = builder_.string(said.name);
      return found->second;
    }
    const bool is_main = said.name == "MainThread" || said.tid == 0 ||
                         said.tid == builder_.profile().processes[process.row()].pid;
    const std::string name = !said.name.empty() ? std::string(said.name)
                             : said.tid == 0    ? "main"
                                                : fmt::format("thread {}", said.tid);
    const ThreadId id =
        builder_.add_thread({.process = process,
                             .thread_class = is_main ? ThreadClass::kMain : ThreadClass::kPython,
                             .tid = said.tid,
                             .name = builder_.string(name)});
    threads_.emplace(key, id);
    return id;
  }

  FunctionId function(std::uint32_t frame) {
    FunctionId& known = functions_[frame];
    if (!known.is_none()) return known;
    const CollapsedFrame& said = frames_[frame];
    // A process or thread in the middle of a stack is a function with a strange name.
    const bool is_code = said.role == Role::kCode;
    const std::string_view name = is_code ? said.name : std::string_view(file_.frames[frame]);
    known = builder_.function({.kind = said.kind,
                               .name = name.empty() ? "?" : name,
                               .qualified_name = name.empty() ? "?" : name,
                               .file = said.file,
                               .short_file = module_relative(said.file, {})});
    return known;
  }

  void add_values(Place place, const CollapsedFile::Values& values) {
    if (place.thread.is_none()) place.thread = thread({}, place.process);
    if (place.node.is_none()) {
      const FunctionId label = builder_.function(
          {.kind = FunctionKind::kLabel, .name = kNoFrames, .qualified_name = kNoFrames});
      place.node = builder_.node(NodeId::none(), label, 0);
    }
    metrics_.add(builder_.values(place.thread).row(place.node), values);
    times_.resize(std::max<std::size_t>(times_.size(), place.thread.row() + 1));
    times_[place.thread.row()] += metrics_.time(values);
  }

  static constexpr std::string_view kNoFrames = "[no frames]";

  const CollapsedFile& file_;
  bool is_austin_;
  ProfileBuilder builder_;
  CollapsedMetrics metrics_;
  std::vector<CollapsedFrame> frames_;
  std::vector<FunctionId> functions_;                              // by frame
  std::vector<Place> places_;                                      // by node
  std::vector<std::int64_t> times_;                                // by thread
  boost::unordered_flat_map<std::uint64_t, ProcessId> processes_;  // by pid
  boost::unordered_flat_map<std::pair<std::uint32_t, std::uint64_t>, ThreadId> threads_;
};

}  // namespace

Result<Profile> load_collapsed(const CollapsedFile& file) { return CollapsedLoader(file).load(); }

Result<Profile> load_collapsed_bytes(std::string_view bytes) {
  CollapsedReader reader;
  PYROMETER_TRY_VOID(reader.add(bytes));
  PYROMETER_TRY(const CollapsedFile file, reader.finish());
  return load_collapsed(file);
}

Result<Profile> load_collapsed_file(const Path& path, const Progress& progress) {
  PYROMETER_TRY(const FileHandle file, open_for_reading(path));
  std::setvbuf(file.get(), nullptr, _IONBF, 0);  // the pieces are large
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(path, ignored);
  const auto named = [&](const Error& error) {
    return fail(error.code, "'{}': {}", path.string(), error.message);
  };
  CollapsedReader reader;
  std::string piece(kPiece, '\0');
  for (std::uint64_t done = 0;;) {
    const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get());
    if (count == 0) break;
    if (const auto added = reader.add(std::string_view(piece).substr(0, count)); !added) {
      return named(added.error());
    }
    done += count;
    report_progress(progress, "reading", done, size);
  }
  if (std::ferror(file.get()) != 0) {
    return fail(ErrorCode::kIo, "cannot read '{}': {}", path.string(), last_error_text());
  }
  auto profile = reader.finish().and_then(load_collapsed);
  if (!profile) return named(profile.error());
  return *std::move(profile);
}

}  // namespace pyrometer
