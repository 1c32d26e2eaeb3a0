#include "store/write_tables.h"

#include <algorithm>

#include "base/byte_writer.h"
#include "base/compression.h"
#include "store/schema.h"
#include "store/words.h"

namespace pyrometer {
namespace {

// Longer source texts are compressed; shorter ones can be read in any SQLite shell.
constexpr std::size_t kLongestPlainText = 16 << 10;

template <class Table>
std::optional<std::int64_t> row_or_null(Id<Table> id) {
  if (id.is_none()) return std::nullopt;
  return id.row();
}

Result<void> write_meta(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement insert, database.prepare("INSERT INTO meta VALUES (?, ?)"));
  PYROMETER_TRY_VOID(insert.run(std::string_view("format"), std::string_view("pyrometer")));
  PYROMETER_TRY_VOID(insert.run(std::string_view("version"), kPyroVersion));
  PYROMETER_TRY_VOID(insert.run(std::string_view("items_per_block"), kItemsPerBlock));
  PYROMETER_TRY_VOID(insert.run(std::string_view("processes_per_block"), kProcessesPerBlock));
  PYROMETER_TRY_VOID(insert.run(std::string_view("is_sampled"), std::int64_t{profile.is_sampled}));
  return insert.run(std::string_view("paths_are_estimated"),
                    std::int64_t{profile.paths_are_estimated});
}

Result<void> write_metrics(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement insert, database.prepare("INSERT INTO metric VALUES (?, ?, ?, ?)"));
  std::int64_t row = 0;
  for (const Metric& metric : profile.metrics) {
    PYROMETER_TRY_VOID(insert.run(row++, std::string_view(metric.name), name_of(metric.unit),
                                  name_of(metric.combine)));
  }
  return {};
}

Result<void> write_functions(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement module, database.prepare("INSERT INTO module VALUES (?, ?, ?)"));
  std::int64_t row = 0;
  for (const Module& each : profile.modules) {
    PYROMETER_TRY_VOID(module.run(row++, profile.text(each.path), Blob{each.build_id}));
  }
  PYROMETER_TRY(Statement function, database.prepare("INSERT INTO function VALUES "
                                                     "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  row = 0;
  for (const Function& each : profile.functions) {
    PYROMETER_TRY_VOID(
        function.run(row++, profile.text(each.name), profile.text(each.qualified_name),
                     profile.text(each.file), profile.text(each.short_file), each.first_line,
                     each.first_column, name_of(each.kind), row_or_null(each.module),
                     static_cast<std::int64_t>(each.offset), Blob{each.id.to_bytes()}));
  }
  return {};
}

Result<void> write_items(const Database& database, const MergedTables& tables) {
  PYROMETER_TRY(Statement node, database.prepare("INSERT INTO node VALUES (?, ?, ?, ?, ?)"));
  std::int64_t row = 0;
  for (const Node& each : tables.profile.nodes) {
    PYROMETER_TRY_VOID(node.run(row++, row_or_null(each.parent), each.function.row(), each.line,
                                Blob{each.id.to_bytes()}));
  }
  PYROMETER_TRY(Statement line, database.prepare("INSERT INTO line VALUES (?, ?, ?)"));
  row = 0;
  for (const LineItem& each : tables.lines) {
    PYROMETER_TRY_VOID(line.run(row++, each.function.row(), each.line));
  }
  PYROMETER_TRY(Statement edge, database.prepare("INSERT INTO edge VALUES (?, ?, ?, ?)"));
  row = 0;
  for (const EdgeItem& each : tables.edges) {
    for (const std::string_view part : kEdgeParts) {
      PYROMETER_TRY_VOID(edge.run(row++, row_or_null(each.caller), each.callee.row(), part));
    }
  }
  return {};
}

Result<void> write_processes(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement insert, database.prepare("INSERT INTO process VALUES "
                                                   "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  PYROMETER_TRY(Statement attribute, database.prepare("INSERT INTO attribute VALUES (?, ?, ?, ?)"));
  PYROMETER_TRY(Statement clock, database.prepare("INSERT INTO clock VALUES (?, ?)"));
  std::int64_t row = 0;
  for (const Process& each : profile.processes) {
    const auto rank = each.rank == -1 ? std::nullopt : std::optional(each.rank);
    PYROMETER_TRY_VOID(insert.run(row, rank, each.world_size, std::string_view(each.host),
                                  static_cast<std::int64_t>(each.pid),
                                  static_cast<std::int64_t>(each.parent_pid), each.start,
                                  each.duration, name_of(each.status), each.exit_status,
                                  std::string_view(each.trouble), std::string_view(each.source)));
    if (each.clock != 0) PYROMETER_TRY_VOID(clock.run(row, each.clock));
    std::int64_t position = 0;
    for (const auto& [key, value] : each.attributes) {
      PYROMETER_TRY_VOID(
          attribute.run(row, position++, std::string_view(key), std::string_view(value)));
    }
    ++row;
  }
  PYROMETER_TRY(Statement thread, database.prepare("INSERT INTO thread VALUES (?, ?, ?, ?, ?)"));
  row = 0;
  for (const Thread& each : profile.threads) {
    PYROMETER_TRY_VOID(
        thread.run(row++, each.process.row(), name_of(each.thread_class), each.start, each.end));
  }
  return {};
}

Result<void> write_sources(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement insert, database.prepare("INSERT INTO source VALUES (?, ?, ?, ?, ?)"));
  std::vector<std::pair<std::string_view, const SourceText*>> sources;
  for (const auto& [file, source] : profile.sources) {
    sources.emplace_back(profile.text(file), &source);
  }
  std::sort(sources.begin(), sources.end());
  std::int64_t row = 0;
  std::uint64_t left = kMaxMergedSources;
  for (const auto& [file, source] : sources) {
    const bool fits = source->content.size() <= left;
    const bool is_hash = source->is_hash || !fits;
    const std::string content = fits ? source->content : content_id(source->content).to_bytes();
    left -= std::min<std::uint64_t>(left, content.size());
    const auto size = static_cast<std::int64_t>(content.size());
    if (is_hash) {
      PYROMETER_TRY_VOID(insert.run(row++, file, kHashOnly, size, Blob{content}));
    } else if (content.size() <= kLongestPlainText) {
      PYROMETER_TRY_VOID(insert.run(row++, file, kPlainText, size, std::string_view(content)));
    } else {
      PYROMETER_TRY_VOID(insert.run(row++, file, kZstdText, size, Blob{compress(content)}));
    }
  }
  return {};
}

Result<void> write_notes(const Database& database, const Profile& profile) {
  PYROMETER_TRY(Statement insert, database.prepare("INSERT INTO note VALUES (?, ?)"));
  std::int64_t row = 0;
  for (const std::string& note : profile.notes) {
    PYROMETER_TRY_VOID(insert.run(row++, std::string_view(note)));
  }
  return {};
}

}  // namespace

Result<void> write_tables(const Database& database, const MergedTables& tables) {
  PYROMETER_TRY_VOID(write_meta(database, tables.profile));
  PYROMETER_TRY_VOID(write_metrics(database, tables.profile));
  PYROMETER_TRY_VOID(write_functions(database, tables.profile));
  PYROMETER_TRY_VOID(write_items(database, tables));
  PYROMETER_TRY_VOID(write_processes(database, tables.profile));
  PYROMETER_TRY_VOID(write_sources(database, tables.profile));
  return write_notes(database, tables.profile);
}

}  // namespace pyrometer
