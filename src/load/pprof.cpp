#include "load/pprof.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <optional>
#include <ranges>

#include "profile/builder.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 24;
// A location of many inlined calls takes one byte where it is named again. Far more than compilers
// inline.
constexpr std::size_t kFreeSteps = std::size_t{1} << 20;
constexpr std::size_t kMostStepsPerPlace = 64;
constexpr std::size_t kMostThreads = 8192;
constexpr std::size_t kMostTypes = 64;
constexpr std::size_t kMostMappings = 8192;

struct UnitWord {
  std::string_view word;
  Unit unit;
  std::int64_t factor;
};
constexpr UnitWord kUnits[] = {
    {"nanoseconds", Unit::kNanoseconds, 1},
    {"microseconds", Unit::kNanoseconds, 1'000},
    {"milliseconds", Unit::kNanoseconds, 1'000'000},
    {"seconds", Unit::kNanoseconds, 1'000'000'000},
    {"ns", Unit::kNanoseconds, 1},
    {"us", Unit::kNanoseconds, 1'000},
    {"\u00b5s", Unit::kNanoseconds, 1'000},  // micro, and austin's mu
    {"\u03bcs", Unit::kNanoseconds, 1'000},
    {"ms", Unit::kNanoseconds, 1'000'000},
    {"s", Unit::kNanoseconds, 1'000'000'000},
    {"bytes", Unit::kBytes, 1},
    {"kilobytes", Unit::kBytes, 1 << 10},
    {"megabytes", Unit::kBytes, 1 << 20},
};

UnitWord unit_of(std::string_view word) {
  const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const UnitWord& entry) { return entry.word == word; });
  return found == std::end(kUnits) ? UnitWord{word, Unit::kCount, 1} : *found;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::uint32_t line_number(std::int64_t line) {
  return line > 0 && line <= 0xffffffffLL ? static_cast<std::uint32_t>(line) : 0;
}

FunctionKind kind_of(std::string_view file) {
  const bool is_python = file.ends_with(".py") || file.ends_with(".pyx") ||
                         (file.starts_with('<') && file.ends_with('>'));
  return is_python ? FunctionKind::kPython : FunctionKind::kNative;
}

// Who took a sample, as far as its labels say.
struct Owner {
  std::int64_t rank = -1;
  std::uint64_t pid = 0;
  std::uint64_t tid = 0;
  std::string_view thread;
  friend bool operator==(const Owner&, const Owner&) = default;
  friend std::size_t hash_value(const Owner& owner) {
    std::size_t seed = std::hash<std::string_view>()(owner.thread);
    boost::hash_combine(seed, owner.rank);
    boost::hash_combine(seed, owner.pid);
    boost::hash_combine(seed, owner.tid);
    return seed;
  }
};

// A number, written as one or as text.
std::optional<std::int64_t> number_of(const PprofFile::Label& label) {
  if (label.text.empty()) return label.number;
  std::int64_t value = 0;
  const char* end = label.text.data() + label.text.size();
  const auto [stop, error] = std::from_chars(label.text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

Owner owner_of(std::span<const PprofFile::Label> labels) {
  Owner owner;
  for (const PprofFile::Label& label : labels) {
    const auto number = number_of(label);
    if (is_one_of(label.key, {"rank", "mpi_rank"})) {
      owner.rank = number.value_or(-1);
    } else if (is_one_of(label.key, {"process", "pid", "process_id", "process id"})) {
      owner.pid = static_cast<std::uint64_t>(number.value_or(0));
    } else if (is_one_of(label.key, {"thread", "tid", "thread_id", "thread id", "thread_name",
                                     "thread name", "threadname"})) {
      if (label.text.empty()) {
        owner.tid = static_cast<std::uint64_t>(label.number);
      } else {
        owner.thread = label.text;
      }
    }
  }
  return owner;
}

class PprofLoader {
 public:
  explicit PprofLoader(const PprofFile& file)
      : file_(file), functions_(file.functions.size()), modules_(file.mappings.size()) {}

  Result<Profile> load() {
    PYROMETER_TRY_VOID(add_metrics());
    for (const PprofFile::Sample& sample : file_.samples) {
      PYROMETER_TRY(const ThreadId thread, thread_of(owner_of(file_.labels_of(sample))));
      PYROMETER_TRY(const NodeId node, node_of(sample));
      auto row = builder_.values(thread).row(node);
      for (std::size_t i = 0; i < metrics_.size(); ++i) {
        row[metrics_[i]] += file_.values[sample.first_value + i] * factors_[i];
      }
    }
    if (threads_.empty()) PYROMETER_TRY_VOID(thread_of({}));
    return builder_.finish();
  }

 private:
  Result<void> add_metrics() {
    if (file_.mappings.size() > kMostMappings) {
      return fail(ErrorCode::kTooLarge, "it has {} mappings, more than the {} that are read",
                  file_.mappings.size(), kMostMappings);
    }
    if (file_.types.size() > kMostTypes) {
      return fail(ErrorCode::kTooLarge,
                  "it has {} types of samples, more than the {} that are read", file_.types.size(),
                  kMostTypes);
    }
    for (const PprofFile::ValueType& type : file_.types) {
      const UnitWord unit = unit_of(type.unit);
      std::string name(type.type.empty() ? "value" : type.type);
      // "inuse" may be both objects and bytes.
      if (builder_.profile().find_metric(name)) name += fmt::format(" ({})", type.unit);
      metrics_.push_back(builder_.metric({name, unit.unit}));
      factors_.push_back(unit.factor);
      if (name == metric::kSamples) builder_.profile().is_sampled = true;
    }
    return {};
  }

  Result<ThreadId> thread_of(const Owner& owner) {
    const auto found = threads_.find(owner);
    if (found != threads_.end()) return found->second;
    if (threads_.size() == kMostThreads) {
      return fail(ErrorCode::kTooLarge, "it has more than the {} threads that are read at most",
                  kMostThreads);
    }
    const auto [process, is_new] =
        processes_.try_emplace(std::pair(owner.rank, owner.pid),
                               ProcessId::from_index(builder_.profile().processes.size()));
    if (is_new) {
      builder_.add_process({.rank = owner.rank,
                            .pid = owner.pid,
                            .start = file_.start,
                            .duration = std::max<std::int64_t>(0, file_.duration)});
    }
    const bool is_main = is_one_of(owner.thread, {"", "main", "MainThread"}) && owner.tid == 0;
    const std::string name = !owner.thread.empty() ? std::string(owner.thread)
                             : owner.tid == 0      ? "main"
                                                   : fmt::format("thread {}", owner.tid);
    const ThreadId id =
        builder_.add_thread({.process = process->second,
                             .thread_class = is_main ? ThreadClass::kMain : ThreadClass::kPython,
                             .tid = owner.tid,
                             .name = builder_.string(name)});
    threads_.emplace(owner, id);
    return id;
  }

  // From the root to the innermost call, inlined ones too.
  Result<NodeId> node_of(const PprofFile::Sample& sample) {
    const auto stack = file_.stack_of(sample);
    const std::size_t most_steps = kFreeSteps + kMostStepsPerPlace * file_.stacks.size();
    NodeId node;
    for (const auto place : std::views::reverse(stack)) {
      const PprofFile::Location& location = file_.locations[place];
      const auto lines = file_.lines_of(location);
      steps_ += lines.size() + 1;
      for (const auto& line : std::views::reverse(lines)) {
        node =
            builder_.node(node, function(line.function, location.mapping), line_number(line.line));
      }
      if (lines.empty()) node = builder_.node(node, library(location.mapping), 0);
      if (steps_ > most_steps || builder_.profile().nodes.size() > kMostNodes) {
        return fail(ErrorCode::kTooLarge,
                    "its call paths are longer or more than those that are read (16 million)");
      }
    }
    if (node.is_none()) node = builder_.node(node, label("[no frames]"), 0);
    return node;
  }

  FunctionId label(std::string_view name) {
    return builder_.function({.kind = FunctionKind::kLabel, .name = name, .qualified_name = name});
  }

  FunctionId function(std::uint32_t row, std::uint32_t mapping) {
    FunctionId& known = functions_[row];
    if (!known.is_none()) return known;
    const PprofFile::Function& said = file_.functions[row];
    const FunctionKind kind = kind_of(said.file);
    const bool has_module = kind == FunctionKind::kNative && mapping != PprofFile::kNone;
    known = builder_.function({.kind = kind,
                               .name = said.name.empty() ? "?" : said.name,
                               .qualified_name = said.name.empty() ? "?" : said.name,
                               .file = said.file,
                               .short_file = module_relative(said.file, {}),
                               .first_line = line_number(said.first_line),
                               .module = has_module ? module(mapping) : ModuleId::none()});
    return known;
  }

  ModuleId module(std::uint32_t mapping) {
    ModuleId& known = modules_[mapping];
    if (known.is_none()) {
      known = builder_.module(file_.mappings[mapping].file, file_.mappings[mapping].build_id);
    }
    return known;
  }

  // Code without symbols is told by its library, as in recordings.
  FunctionId library(std::uint32_t mapping) {
    if (mapping == PprofFile::kNone) return label("[unknown]");
    const std::string_view file = file_.mappings[mapping].file;
    const std::string_view name = file.substr(file.rfind('/') + 1);
    return builder_.function({.kind = FunctionKind::kNative,
                              .name = name.empty() ? "[unknown]" : name,
                              .qualified_name = name.empty() ? "[unknown]" : name,
                              .file = file,
                              .short_file = name,
                              .module = module(mapping)});
  }

  const PprofFile& file_;
  ProfileBuilder builder_;
  std::vector<MetricId> metrics_;  // by type
  std::vector<std::int64_t> factors_;
  std::vector<FunctionId> functions_;  // by the file's rows
  std::vector<ModuleId> modules_;
  boost::unordered_flat_map<Owner, ThreadId> threads_;
  boost::unordered_flat_map<std::pair<std::int64_t, std::uint64_t>, ProcessId> processes_;
  std::size_t steps_ = 0;
};

}  // namespace

Result<Profile> load_pprof(const PprofFile& file) { return PprofLoader(file).load(); }

Result<Profile> load_pprof_bytes(std::string_view bytes) {
  PYROMETER_TRY(const PprofFile file, read_pprof(bytes));
  return load_pprof(file);
}

}  // namespace pyrometer
