// PyroReader::read_tables: what the file says about the program and its processes.
#include <algorithm>

#include "base/compression.h"
#include "profile/builder.h"
#include "store/pyro_reader.h"
#include "store/words.h"

namespace pyrometer {
namespace {

// Lists of cells, one per thread and metric.
constexpr std::uint64_t kMaxCellLists = 1U << 25;

bool is_same(const ContentId& id, std::string_view bytes) {
  if (bytes.size() != 16) return false;
  ContentId stored;
  for (std::size_t i = 0; i < 16; ++i) {
    std::uint64_t& half = i < 8 ? stored.high : stored.low;
    half = half << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return stored == id;
}

// A row number of `table`; none stands for NULL.
template <class RowId, class Rows>
bool is_row_or_none(RowId id, const Rows& table) {
  return id.is_none() || id.row() < table.size();
}

}  // namespace

class PyroReader::TableReader {
 public:
  explicit TableReader(const PyroReader& reader) : reader_(reader) {}

  Result<MergedTables> read() {
    PYROMETER_TRY_VOID(read_meta());
    PYROMETER_TRY_VOID(read_metrics());
    PYROMETER_TRY_VOID(read_functions());
    PYROMETER_TRY_VOID(read_nodes());
    PYROMETER_TRY_VOID(read_lines_and_edges());
    PYROMETER_TRY_VOID(read_processes());
    PYROMETER_TRY_VOID(read_threads());
    PYROMETER_TRY_VOID(read_sources());
    PYROMETER_TRY_VOID(read_messages());
    tables_.profile = std::move(profile());
    return std::move(tables_);
  }

 private:
  Profile& profile() { return builder_.profile(); }

  Result<void> too_large(const char* what) const {
    return fail(ErrorCode::kTooLarge, "'{}' holds more {} than can be read", reader_.path_.string(),
                what);
  }

  Result<void> read_meta() {
    return reader_.for_each_row("meta", "SELECT key, value FROM meta", [&](Statement& row) {
      const std::string_view key = row.text(0);
      if (key == "is_sampled") profile().is_sampled = row.integer(1) != 0;
      if (key == "paths_are_estimated") profile().paths_are_estimated = row.integer(1) != 0;
      if (key == "items_per_block") return row.integer(1) == kItemsPerBlock;
      if (key == "processes_per_block") return row.integer(1) == kProcessesPerBlock;
      return true;
    });
  }

  Result<void> read_metrics() {
    const auto read = [&](Statement& row) {
      const auto unit = from_word(row.text(2), Unit::kBytes);
      const auto combine = from_word(row.text(3), Combine::kMax);
      if (!unit || !combine || profile().metrics.size() == kMaxMergedMetrics) return false;
      const Metric metric{std::string(row.text(1)), *unit, *combine};
      return row.integer(0) == builder_.metric(metric).row() &&
             row.integer(0) + 1 == std::ssize(profile().metrics);
    };
    return reader_.for_each_row("metric", "SELECT * FROM metric ORDER BY row", read);
  }

  Result<void> read_functions() {
    PYROMETER_TRY_VOID(
        reader_.for_each_row("module", "SELECT * FROM module ORDER BY row", [&](Statement& row) {
          const bool is_next = row.integer(0) == std::ssize(profile().modules);
          profile().modules.push_back({builder_.string(row.text(1)), std::string(row.blob(2))});
          return is_next;
        }));
    const auto read = [&](Statement& row) {
      const auto kind = from_word(row.text(7), FunctionKind::kRegion);
      const auto module = row.optional_row(8);
      const ModuleId module_id = module ? ModuleId(*module) : ModuleId::none();
      if (!kind || !is_row_or_none(module_id, profile().modules)) return false;
      const FunctionId id =
          builder_.function({.kind = *kind,
                             .name = row.text(1),
                             .qualified_name = row.text(2),
                             .file = row.text(3),
                             .short_file = row.text(4),
                             .first_line = row.u32(5),
                             .first_column = row.u32(6),
                             .module = module_id,
                             .offset = static_cast<std::uint64_t>(row.integer(9))});
      return is_new_row(row.integer(0), id, profile().functions) &&
             is_same(profile().functions.back().id, row.blob(10));
    };
    return reader_.for_each_row("function", "SELECT * FROM function ORDER BY row", read);
  }

  Result<void> read_nodes() {
    const auto read = [&](Statement& row) {
      const auto parent = row.optional_row(1);
      const NodeId parent_id = parent ? NodeId(*parent) : NodeId::none();
      const FunctionId function(row.u32(2));
      if (!is_row_or_none(parent_id, profile().nodes) || !is_function(function)) return false;
      const NodeId id = builder_.node(parent_id, function, row.u32(3));
      return is_new_row(row.integer(0), id, profile().nodes) &&
             is_same(profile().nodes.back().id, row.blob(4));
    };
    PYROMETER_TRY_VOID(reader_.for_each_row("node", "SELECT * FROM node ORDER BY row", read));
    if (profile().nodes.size() * (profile().metrics.size() + 1) > kMaxMergedTotals) {
      return too_large("call paths and metrics");
    }
    return {};
  }

  Result<void> read_lines_and_edges() {
    PYROMETER_TRY_VOID(
        reader_.for_each_row("line", "SELECT * FROM line ORDER BY row", [&](Statement& row) {
          const bool is_next = row.integer(0) == std::ssize(tables_.lines);
          tables_.lines.push_back({FunctionId(row.u32(1)), row.u32(2)});
          return is_next && is_function(tables_.lines.back().function);
        }));
    std::int64_t next = 0;
    const auto read = [&](Statement& row) {
      const auto caller = row.optional_row(1);
      const EdgeItem edge{caller ? FunctionId(*caller) : FunctionId::none(),
                          FunctionId(row.u32(2))};
      const auto part = static_cast<std::size_t>(next % kItemsPerEdge);
      if (row.integer(0) != next++ || row.text(3) != kEdgeParts[part]) return false;
      if (part != 0) return edge == tables_.edges.back();
      tables_.edges.push_back(edge);
      return is_function(edge.callee) && is_row_or_none(edge.caller, profile().functions);
    };
    PYROMETER_TRY_VOID(reader_.for_each_row("edge", "SELECT * FROM edge ORDER BY row", read));
    if (next % kItemsPerEdge != 0) return reader_.damaged("a call edge has no total");
    return {};
  }

  Result<void> read_processes() {
    const auto read = [&](Statement& row) {
      const bool is_next = row.integer(0) == std::ssize(profile().processes);
      const auto status = from_word(row.text(8), ProcessStatus::kDamaged);
      if (!is_next || !status) return false;
      profile().processes.push_back({.rank = row.optional_integer(1).value_or(-1),
                                     .world_size = row.integer(2),
                                     .host = std::string(row.text(3)),
                                     .pid = static_cast<std::uint64_t>(row.integer(4)),
                                     .parent_pid = static_cast<std::uint64_t>(row.integer(5)),
                                     .start = row.integer(6),
                                     .duration = row.integer(7),
                                     .status = *status,
                                     .exit_status = row.optional_integer(9),
                                     .trouble = std::string(row.text(10)),
                                     .source = std::string(row.text(11)),
                                     .attributes = {}});
      return true;
    };
    PYROMETER_TRY_VOID(reader_.for_each_row("process", "SELECT * FROM process ORDER BY row", read));
    if (profile().processes.size() * (profile().metrics.size() + 1) > kMaxMergedTotals) {
      return too_large("processes and metrics");
    }
    PYROMETER_TRY_VOID(read_clocks());
    return reader_.for_each_row("attribute", "SELECT * FROM attribute", [&](Statement& row) {
      const std::uint32_t process = row.u32(0);
      if (process >= profile().processes.size()) return false;
      profile().processes[process].attributes.emplace_back(row.text(2), row.text(3));
      return true;
    });
  }

  Result<void> read_clocks() {
    if (reader_.version_ < 2) return {};
    return reader_.for_each_row("clock", "SELECT * FROM clock", [&](Statement& row) {
      const std::uint32_t process = row.u32(0);
      if (process >= profile().processes.size()) return false;
      profile().processes[process].clock = row.integer(1);
      return true;
    });
  }

  Result<void> read_threads() {
    const auto read = [&](Statement& row) {
      auto& threads = profile().threads;
      const ProcessId process(row.u32(1));
      const auto thread_class = from_word(row.text(2), ThreadClass::kNative);
      if (row.integer(0) != std::ssize(threads) || !thread_class ||
          process.row() >= profile().processes.size()) {
        return false;
      }
      const Thread thread{.process = process,
                          .thread_class = *thread_class,
                          .tid = 0,
                          .name = builder_.string(name_of(*thread_class)),
                          .start = row.integer(3),
                          .end = row.integer(4)};
      const auto place = [](const Thread& each) {
        return std::pair(each.process, each.thread_class);
      };
      const bool is_in_order = threads.empty() || place(threads.back()) < place(thread);
      threads.push_back(thread);
      return is_in_order;
    };
    PYROMETER_TRY_VOID(reader_.for_each_row("thread", "SELECT * FROM thread ORDER BY row", read));
    if (profile().threads.size() * (profile().metrics.size() + 1) > kMaxCellLists) {
      return too_large("threads and metrics");
    }
    return {};
  }

  Result<void> read_sources() {
    std::uint64_t left = kMaxMergedSources;
    const auto read = [&](Statement& row) {
      const std::string_view encoding = row.text(2);
      const std::string_view content = encoding == kPlainText ? row.text(4) : row.blob(4);
      const auto size = static_cast<std::uint64_t>(row.integer(3));
      if (size > left) return false;
      left -= size;
      SourceText source{.is_hash = encoding == kHashOnly, .content = {}};
      if (encoding == kZstdText) {
        auto text = decompress(content, size);
        if (!text) return false;
        source.content = *std::move(text);
      } else {
        if (size != content.size() || (!source.is_hash && encoding != kPlainText)) return false;
        source.content = content;
      }
      return profile().sources.emplace(builder_.string(row.text(1)), std::move(source)).second;
    };
    return reader_.for_each_row("source", "SELECT * FROM source ORDER BY row", read);
  }

  Result<void> read_messages() {
    PYROMETER_TRY_VOID(
        reader_.for_each_row("note", "SELECT text FROM note ORDER BY row", [&](Statement& row) {
          profile().notes.emplace_back(row.text(0));
          return true;
        }));
    const auto read = [&](Statement& row) {
      const ProcessId process(row.u32(1));
      const auto level = from_word(row.text(3), MessageLevel::kError);
      if (!level || process.row() >= profile().processes.size()) return false;
      profile().messages.push_back({process, row.integer(2), *level, std::string(row.text(4))});
      return true;
    };
    return reader_.for_each_row("message", "SELECT * FROM message ORDER BY row", read);
  }

  bool is_function(FunctionId id) { return id.row() < profile().functions.size(); }

  // Whether `id`, made from what the row says, is a new one with the row's own number: a
  // thing listed twice would have got its earlier row.
  template <class RowId, class Rows>
  static bool is_new_row(std::int64_t row, RowId id, const Rows& table) {
    return row == id.row() && row + 1 == std::ssize(table);
  }

  const PyroReader& reader_;
  ProfileBuilder builder_;
  MergedTables tables_;
};

Result<MergedTables> PyroReader::read_tables() const { return TableReader(*this).read(); }

}  // namespace pyrometer
