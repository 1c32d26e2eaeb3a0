// The tables of a merged file. docs/merged-format.md explains them column by column.
// Reading compares each table's definition with ours word by word, so that a view, a
// virtual table or a generated column can never stand in for one of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pyrometer {

inline constexpr std::uint32_t kPyroApplicationId = 0x5059524f;  // "PYRO"
inline constexpr std::int64_t kPyroVersion = 3;
inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

struct Table {
  const char* name = nullptr;
  const char* definition = nullptr;
  std::int64_t since = 1;  // the version of the format that brought it
};

inline constexpr std::array kTables = {
    Table{"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    Table{"metric",
          "CREATE TABLE metric (row INTEGER PRIMARY KEY, name TEXT, unit TEXT,"
          " combine TEXT)"},
    Table{"module", "CREATE TABLE module (row INTEGER PRIMARY KEY, path TEXT, build_id BLOB)"},
    Table{"function",
          "CREATE TABLE function (row INTEGER PRIMARY KEY, name TEXT, qualified_name TEXT,"
          " file TEXT, short_file TEXT, first_line INTEGER, first_column INTEGER, kind TEXT,"
          " module INTEGER, module_offset INTEGER, id BLOB)"},
    Table{"node",
          "CREATE TABLE node (row INTEGER PRIMARY KEY, parent INTEGER, function INTEGER,"
          " line INTEGER, id BLOB)"},
    Table{"line", "CREATE TABLE line (row INTEGER PRIMARY KEY, function INTEGER, line INTEGER)"},
    Table{"edge",
          "CREATE TABLE edge (row INTEGER PRIMARY KEY, caller INTEGER, callee INTEGER,"
          " part TEXT)"},
    Table{"process",
          "CREATE TABLE process (row INTEGER PRIMARY KEY, rank INTEGER, world_size INTEGER,"
          " host TEXT, pid INTEGER, parent_pid INTEGER, start_time INTEGER, duration INTEGER,"
          " status TEXT, exit_status INTEGER, trouble TEXT, source TEXT)"},
    Table{"attribute",
          "CREATE TABLE attribute (process INTEGER, position INTEGER, key TEXT, value TEXT,"
          " PRIMARY KEY (process, position)) WITHOUT ROWID"},
    Table{"thread",
          "CREATE TABLE thread (row INTEGER PRIMARY KEY, process INTEGER, class TEXT,"
          " start_time INTEGER, end_time INTEGER)"},
    Table{"source",
          "CREATE TABLE source (row INTEGER PRIMARY KEY, file TEXT, encoding TEXT,"
          " size INTEGER, content)"},
    Table{"note", "CREATE TABLE note (row INTEGER PRIMARY KEY, text TEXT)"},
    Table{"tile",
          "CREATE TABLE tile (row INTEGER PRIMARY KEY, subject TEXT, metric INTEGER,"
          " thread_class TEXT, item_block INTEGER, process_block INTEGER,"
          " scale INTEGER, planes INTEGER, data BLOB)"},
    Table{"region",
          "CREATE TABLE region (row INTEGER PRIMARY KEY, thread INTEGER, name TEXT,"
          " start_time INTEGER, duration INTEGER, depth INTEGER, value INTEGER)"},
    Table{"counter",
          "CREATE TABLE counter (row INTEGER PRIMARY KEY, process INTEGER, name TEXT,"
          " unit TEXT, points INTEGER, scale INTEGER, planes INTEGER, data BLOB)"},
    Table{"message",
          "CREATE TABLE message (row INTEGER PRIMARY KEY, process INTEGER,"
          " time INTEGER, level TEXT, text TEXT)"},
    Table{"statistics",
          "CREATE TABLE statistics (subject TEXT, item INTEGER, metric INTEGER,"
          " processes INTEGER, total INTEGER, sum_of_squares REAL, minimum INTEGER,"
          " maximum INTEGER, minimum_process INTEGER, maximum_process INTEGER,"
          " PRIMARY KEY (subject, item, metric)) WITHOUT ROWID"},
    Table{"process_total",
          "CREATE TABLE process_total (process INTEGER, metric INTEGER, value INTEGER,"
          " PRIMARY KEY (process, metric)) WITHOUT ROWID"},
    Table{"finding",
          "CREATE TABLE finding (row INTEGER PRIMARY KEY, key TEXT, sentence TEXT,"
          " value REAL)"},
    Table{"clock", "CREATE TABLE clock (process INTEGER PRIMARY KEY, monotonic INTEGER)", 2},
    Table{"time_bin",
          "CREATE TABLE time_bin (thread INTEGER PRIMARY KEY, width_bits INTEGER,"
          " first INTEGER, times INTEGER, scale INTEGER, planes INTEGER, data BLOB)",
          2},
    Table{"mpi_calls",
          "CREATE TABLE mpi_calls (thread INTEGER PRIMARY KEY, places INTEGER,"
          " scale INTEGER, planes INTEGER, data BLOB)",
          2},
    Table{"mpi_site",
          "CREATE TABLE mpi_site (row INTEGER PRIMARY KEY, node INTEGER,"
          " communicator INTEGER, size_class INTEGER, calls INTEGER, time INTEGER,"
          " bytes INTEGER, quickest INTEGER, slowest INTEGER)",
          2},
    Table{"analysis", "CREATE TABLE analysis (key TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID", 2},
    Table{"live",
          "CREATE TABLE live (thread INTEGER PRIMARY KEY, tracks INTEGER, moments INTEGER,"
          " first INTEGER, scale INTEGER, planes INTEGER, data BLOB)",
          3},
};

inline constexpr std::array kIndexes = {
    "CREATE UNIQUE INDEX tile_place ON tile (subject, metric, thread_class, item_block,"
    " process_block)",
};

}  // namespace pyrometer
