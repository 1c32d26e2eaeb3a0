// Plain tables that any SQLite client can query, with views for the usual questions.
// docs/export.md describes them. Rows refer to each other by id.
#include "store/sqlite.h"

#include <array>

#include "analyze/call_graph.h"
#include "analyze/line_table.h"
#include "base/printable.h"
#include "export/exporter.h"

namespace pyrometer {
namespace {

constexpr std::int64_t kSchemaVersion = 1;

constexpr const char* kTables = R"(
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE metrics (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, combine TEXT NOT NULL);
CREATE TABLE processes (
  id INTEGER PRIMARY KEY, rank INTEGER, host TEXT NOT NULL, pid INTEGER NOT NULL,
  start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, source TEXT NOT NULL);
CREATE TABLE threads (
  id INTEGER PRIMARY KEY, process INTEGER NOT NULL REFERENCES processes, name TEXT NOT NULL,
  tid INTEGER NOT NULL, class TEXT NOT NULL);
CREATE TABLE functions (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, qualified_name TEXT NOT NULL, file TEXT NOT NULL,
  module_file TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL);
CREATE TABLE nodes (
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES nodes,
  function INTEGER NOT NULL REFERENCES functions, line INTEGER NOT NULL);
CREATE TABLE node_values (
  metric INTEGER NOT NULL REFERENCES metrics, thread INTEGER NOT NULL REFERENCES threads,
  node INTEGER NOT NULL REFERENCES nodes, value INTEGER NOT NULL,
  PRIMARY KEY (metric, thread, node)) WITHOUT ROWID;
CREATE TABLE function_totals (
  metric INTEGER NOT NULL REFERENCES metrics, function INTEGER NOT NULL REFERENCES functions,
  self INTEGER NOT NULL, total INTEGER NOT NULL, calls INTEGER NOT NULL,
  primitive_calls INTEGER NOT NULL, PRIMARY KEY (metric, function)) WITHOUT ROWID;
CREATE TABLE call_edges (
  metric INTEGER NOT NULL REFERENCES metrics, caller INTEGER NOT NULL REFERENCES functions,
  callee INTEGER NOT NULL REFERENCES functions, self INTEGER NOT NULL, total INTEGER NOT NULL,
  calls INTEGER NOT NULL, PRIMARY KEY (metric, caller, callee)) WITHOUT ROWID;
CREATE TABLE lines (
  metric INTEGER NOT NULL REFERENCES metrics, function INTEGER NOT NULL REFERENCES functions,
  line INTEGER NOT NULL, self INTEGER NOT NULL, total INTEGER NOT NULL, hits INTEGER NOT NULL,
  PRIMARY KEY (metric, function, line)) WITHOUT ROWID;
)";

constexpr const char* kViews = R"(
CREATE VIEW main_metric AS
  SELECT metrics.* FROM metrics JOIN facts ON facts.name = 'main_metric' AND metrics.name = value;
CREATE VIEW top_functions AS
  SELECT qualified_name AS function, module_file || ':' || functions.line AS place, self, total,
    round(100.0 * self / nullif(sum(self) OVER (), 0), 2) AS percent, calls
  FROM function_totals JOIN functions ON functions.id = function
  WHERE metric = (SELECT id FROM main_metric) ORDER BY self DESC;
CREATE VIEW top_lines AS
  SELECT module_file || ':' || lines.line AS place, qualified_name AS function, self, total, hits
  FROM lines JOIN functions ON functions.id = function
  WHERE metric = (SELECT id FROM main_metric) ORDER BY self DESC;
CREATE VIEW thread_totals AS
  SELECT rank, pid, threads.name AS thread, metrics.name AS metric, sum(value) AS value
  FROM node_values JOIN threads ON threads.id = thread JOIN processes ON processes.id = process
    JOIN metrics ON metrics.id = metric
  GROUP BY thread, metric;
)";

std::int64_t row_of(std::size_t index) { return static_cast<std::int64_t>(index); }

template <class Id>
std::optional<std::int64_t> reference(Id id) {
  return id.is_none() ? std::nullopt : std::optional<std::int64_t>(id.row());
}

// One table each.
class SqliteWriter {
 public:
  SqliteWriter(const Overview& overview, const Database& database)
      : overview_(overview), profile_(overview.profile), database_(database) {}

  Result<void> write_facts() {
    PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO facts VALUES (?, ?)"));
    const std::string& main = profile_.metrics[overview_.metric.row()].name;
    PYROMETER_TRY_VOID(insert.run("schema_version", kSchemaVersion));
    PYROMETER_TRY_VOID(insert.run("main_metric", std::string_view(main)));
    PYROMETER_TRY_VOID(insert.run("sampled", std::int64_t{profile_.is_sampled}));
    return insert.run("paths_estimated", std::int64_t{profile_.paths_are_estimated});
  }

  Result<void> write_metrics() {
    PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO metrics VALUES (?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.metrics.size(); ++row) {
      const Metric& metric = profile_.metrics[row];
      PYROMETER_TRY_VOID(insert.run(row_of(row), valid_utf8(metric.name), name_of(metric.unit),
                                    name_of(metric.combine)));
    }
    return {};
  }

  Result<void> write_processes() {
    PYROMETER_TRY(Statement insert,
                  database_.prepare("INSERT INTO processes VALUES (?, ?, ?, ?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.processes.size(); ++row) {
      const Process& process = profile_.processes[row];
      const auto rank = process.rank < 0 ? std::nullopt : std::optional(process.rank);
      PYROMETER_TRY_VOID(insert.run(row_of(row), rank, valid_utf8(process.host),
                                    static_cast<std::int64_t>(process.pid), process.start,
                                    process.duration, valid_utf8(process.source)));
    }
    return {};
  }

  Result<void> write_threads() {
    PYROMETER_TRY(Statement insert,
                  database_.prepare("INSERT INTO threads VALUES (?, ?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.threads.size(); ++row) {
      const Thread& thread = profile_.threads[row];
      PYROMETER_TRY_VOID(insert.run(row_of(row), thread.process.row(), text(thread.name),
                                    static_cast<std::int64_t>(thread.tid),
                                    name_of(thread.thread_class)));
    }
    return {};
  }

  Result<void> write_functions() {
    PYROMETER_TRY(Statement insert,
                  database_.prepare("INSERT INTO functions VALUES (?, ?, ?, ?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.functions.size(); ++row) {
      const Function& function = profile_.functions[row];
      const std::string_view qualified = profile_.text(function.qualified_name);
      PYROMETER_TRY_VOID(insert.run(row_of(row), text(function.name),
                                    qualified.empty() ? text(function.name) : valid_utf8(qualified),
                                    text(function.file), text(function.short_file),
                                    function.first_line, name_of(function.kind)));
    }
    return {};
  }

  Result<void> write_nodes() {
    PYROMETER_TRY(Statement insert, database_.prepare("INSERT INTO nodes VALUES (?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.nodes.size(); ++row) {
      const Node& node = profile_.nodes[row];
      PYROMETER_TRY_VOID(
          insert.run(row_of(row), reference(node.parent), node.function.row(), node.line));
    }
    return {};
  }

  Result<void> write_values() {
    PYROMETER_TRY(Statement insert,
                  database_.prepare("INSERT INTO node_values VALUES (?, ?, ?, ?)"));
    for (std::size_t metric = 0; metric < profile_.metrics.size(); ++metric) {
      for (std::size_t thread = 0; thread < profile_.thread_cells.size(); ++thread) {
        for (const Cell& cell : profile_.thread_cells[thread][metric]) {
          PYROMETER_TRY_VOID(
              insert.run(row_of(metric), row_of(thread), cell.node.row(), cell.value));
        }
      }
    }
    return {};
  }

  // Derived, because recursion makes them more than a sum over nodes.
  Result<void> write_totals() {
    PYROMETER_TRY(Statement functions,
                  database_.prepare("INSERT INTO function_totals VALUES (?, ?, ?, ?, ?, ?)"));
    PYROMETER_TRY(Statement edges,
                  database_.prepare("INSERT INTO call_edges VALUES (?, ?, ?, ?, ?, ?)"));
    PYROMETER_TRY(Statement lines,
                  database_.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?)"));
    for (std::size_t row = 0; row < profile_.metrics.size(); ++row) {
      const auto metric = MetricId::from_index(row);
      // Calls are told once, with the main metric.
      const auto is_told = [&](const auto& cost) {
        return metric == overview_.metric || cost.self != 0 || cost.total != 0;
      };
      const CallGraph graph = make_call_graph(profile_, metric);
      for (const FunctionCost& cost : graph.functions) {
        if (!is_told(cost)) continue;
        PYROMETER_TRY_VOID(functions.run(row_of(row), cost.function.row(), cost.self, cost.total,
                                         cost.calls, cost.primitive_calls));
      }
      for (const CallEdge& edge : graph.edges) {
        if (!is_told(edge)) continue;
        PYROMETER_TRY_VOID(edges.run(row_of(row), edge.caller.row(), edge.callee.row(), edge.self,
                                     edge.total, edge.calls));
      }
      for (const LineCost& line : make_line_table(profile_, metric)) {
        if (!is_told(line)) continue;
        PYROMETER_TRY_VOID(lines.run(row_of(row), line.function.row(), line.line, line.self,
                                     line.total, line.hits));
      }
    }
    return {};
  }

 private:
  std::string text(StringId id) const { return valid_utf8(profile_.text(id)); }

  const Overview& overview_;
  const Profile& profile_;
  const Database& database_;
};

}  // namespace

Result<std::string> export_sqlite(const Overview& overview) {
  PYROMETER_TRY(const Database database, Database::create_in_memory());
  PYROMETER_TRY_VOID(database.execute(kTables));
  PYROMETER_TRY_VOID(database.execute("BEGIN"));
  SqliteWriter writer(overview, database);
  using Step = Result<void> (SqliteWriter::*)();
  constexpr std::array<Step, 8> kSteps = {
      &SqliteWriter::write_facts,   &SqliteWriter::write_metrics,   &SqliteWriter::write_processes,
      &SqliteWriter::write_threads, &SqliteWriter::write_functions, &SqliteWriter::write_nodes,
      &SqliteWriter::write_values,  &SqliteWriter::write_totals};
  for (const Step step : kSteps) PYROMETER_TRY_VOID((writer.*step)());
  PYROMETER_TRY_VOID(database.execute("COMMIT"));
  PYROMETER_TRY_VOID(database.execute(kViews));
  return database.bytes();
}

}  // namespace pyrometer
