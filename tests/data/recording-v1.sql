BEGIN TRANSACTION;
CREATE TABLE call_edges (
  metric INTEGER NOT NULL REFERENCES metrics, caller INTEGER NOT NULL REFERENCES functions,
  callee INTEGER NOT NULL REFERENCES functions, self INTEGER NOT NULL, total INTEGER NOT NULL,
  calls INTEGER NOT NULL, PRIMARY KEY (metric, caller, callee)) WITHOUT ROWID;
INSERT INTO "call_edges" VALUES(0,0,1,4000000,7000000,0);
INSERT INTO "call_edges" VALUES(0,1,1,1000000,3000000,0);
INSERT INTO "call_edges" VALUES(0,1,2,2000000,2000000,0);
INSERT INTO "call_edges" VALUES(1,0,1,4,7,0);
INSERT INTO "call_edges" VALUES(1,1,1,1,3,0);
INSERT INTO "call_edges" VALUES(1,1,2,2,2,0);
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "facts" VALUES('main_metric','wall');
INSERT INTO "facts" VALUES('paths_estimated',0);
INSERT INTO "facts" VALUES('sampled',1);
INSERT INTO "facts" VALUES('schema_version',1);
CREATE TABLE function_totals (
  metric INTEGER NOT NULL REFERENCES metrics, function INTEGER NOT NULL REFERENCES functions,
  self INTEGER NOT NULL, total INTEGER NOT NULL, calls INTEGER NOT NULL,
  primitive_calls INTEGER NOT NULL, PRIMARY KEY (metric, function)) WITHOUT ROWID;
INSERT INTO "function_totals" VALUES(0,0,0,7000000,0,0);
INSERT INTO "function_totals" VALUES(0,1,5000000,7000000,0,0);
INSERT INTO "function_totals" VALUES(0,2,2000000,2000000,0,0);
INSERT INTO "function_totals" VALUES(1,0,0,7,0,0);
INSERT INTO "function_totals" VALUES(1,1,5,7,0,0);
INSERT INTO "function_totals" VALUES(1,2,2,2,0,0);
CREATE TABLE functions (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, qualified_name TEXT NOT NULL, file TEXT NOT NULL,
  module_file TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL);
INSERT INTO "functions" VALUES(0,'main','main','/home/user/project/wave.py','wave.py',9,'python');
INSERT INTO "functions" VALUES(1,'solve','Solver.solve','/home/user/project/wave.py','wave.py',20,'python');
INSERT INTO "functions" VALUES(2,'libm.so.6','libm.so.6','/usr/lib/libm.so.6','libm.so.6',0,'native');
CREATE TABLE lines (
  metric INTEGER NOT NULL REFERENCES metrics, function INTEGER NOT NULL REFERENCES functions,
  line INTEGER NOT NULL, self INTEGER NOT NULL, total INTEGER NOT NULL, hits INTEGER NOT NULL,
  PRIMARY KEY (metric, function, line)) WITHOUT ROWID;
INSERT INTO "lines" VALUES(0,0,10,0,7000000,0);
INSERT INTO "lines" VALUES(0,1,21,7000000,7000000,40);
INSERT INTO "lines" VALUES(0,1,22,0,3000000,0);
INSERT INTO "lines" VALUES(1,0,10,0,7,0);
INSERT INTO "lines" VALUES(1,1,21,7,7,40);
INSERT INTO "lines" VALUES(1,1,22,0,3,0);
INSERT INTO "lines" VALUES(2,1,21,40,40,40);
CREATE TABLE metrics (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, combine TEXT NOT NULL);
INSERT INTO "metrics" VALUES(0,'wall','ns','sum');
INSERT INTO "metrics" VALUES(1,'samples','count','sum');
INSERT INTO "metrics" VALUES(2,'hits','count','sum');
CREATE TABLE node_values (
  metric INTEGER NOT NULL REFERENCES metrics, thread INTEGER NOT NULL REFERENCES threads,
  node INTEGER NOT NULL REFERENCES nodes, value INTEGER NOT NULL,
  PRIMARY KEY (metric, thread, node)) WITHOUT ROWID;
INSERT INTO "node_values" VALUES(0,0,1,4000000);
INSERT INTO "node_values" VALUES(0,0,3,1000000);
INSERT INTO "node_values" VALUES(0,0,4,2000000);
INSERT INTO "node_values" VALUES(1,0,1,4);
INSERT INTO "node_values" VALUES(1,0,3,1);
INSERT INTO "node_values" VALUES(1,0,4,2);
CREATE TABLE nodes (
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES nodes,
  function INTEGER NOT NULL REFERENCES functions, line INTEGER NOT NULL);
INSERT INTO "nodes" VALUES(0,NULL,0,10);
INSERT INTO "nodes" VALUES(1,0,1,21);
INSERT INTO "nodes" VALUES(2,0,1,22);
INSERT INTO "nodes" VALUES(3,2,1,21);
INSERT INTO "nodes" VALUES(4,3,2,0);
CREATE TABLE processes (
  id INTEGER PRIMARY KEY, rank INTEGER, host TEXT NOT NULL, pid INTEGER NOT NULL,
  start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO "processes" VALUES(0,3,'node07',42,1700000000000000000,7000000,'recording-v1.pyr');
CREATE TABLE threads (
  id INTEGER PRIMARY KEY, process INTEGER NOT NULL REFERENCES processes, name TEXT NOT NULL,
  tid INTEGER NOT NULL, class TEXT NOT NULL);
INSERT INTO "threads" VALUES(0,0,'main',42,'main');
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
COMMIT;