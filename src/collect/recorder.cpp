#include "collect/recorder.h"

#include <algorithm>
#include <utility>

#include "base/normal_path.h"
#include "cpython/line_table.h"
#include "os/clocks.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kUndefined = UINT32_MAX;
constexpr std::size_t kCompressFrom = 200;
constexpr std::size_t kMostCodes = 50'000;
constexpr std::uint32_t kMostNodes = 400'000;
// What this file calls is a cell, and begins at the root: the dozens of frames above it are
// IPython's and the kernel's, not the program's.
constexpr std::string_view kCellRunner = "/pyrometer/_notebook_statement.py";
// What magics do before and after the cell is at the root, too, as it is none of the callers'.
constexpr std::string_view kMagics = "/pyrometer/_notebook.py";
constexpr const char* kMagicLabel = "(magic)";

// Code units have two bytes.
std::int32_t number_of(std::int32_t instruction) { return instruction < 0 ? -1 : instruction / 2; }

bool is_before(const auto& a, const auto& b) { return a.time < b.time; }

}  // namespace

Recorder::Recorder(const RecordingHeader& header) : writer_(header), new_nodes_(node_columns()) {
  writer_.compress_from(kCompressFrom);
  metrics_.fill(kUndefined);
}

std::uint32_t Recorder::string(std::string_view text) {
  const auto [found, is_new] = strings_.try_emplace(std::string(text), 0);
  if (is_new) found->second = writer_.add_string(text);
  return found->second;
}

std::uint32_t Recorder::metric(std::size_t kind) {
  if (metrics_[kind] == kUndefined) {
    metrics_[kind] = writer_.add_metric(kTimeKindNames[kind], Unit::kNanoseconds, Combine::kSum);
  }
  return metrics_[kind];
}

std::uint32_t Recorder::add_thread(const ThreadFacts& facts) {
  const std::uint32_t thread = next_thread_++;
  threads_[thread];
  update_thread(thread, facts);
  return thread;
}

void Recorder::update_thread(std::uint32_t thread, const ThreadFacts& facts) {
  writer_.thread({.id = thread,
                  .tid = static_cast<std::uint64_t>(facts.tid),
                  .thread_class = facts.thread_class,
                  .name = string(facts.name),
                  .start = facts.start,
                  .end = facts.end});
}

void Recorder::warn_once(bool& warned, std::string_view sentence) {
  if (!std::exchange(warned, true)) message(monotonic_now(), MessageLevel::kWarning, sentence);
}

std::uint32_t Recorder::label_code(const std::string& label) {
  const auto [found, is_new] = labels_.try_emplace(label, 0);
  if (is_new) {
    const std::uint32_t name = string(label);
    found->second = writer_.add_code(
        {.kind = FunctionKind::kLabel, .name = name, .qualified_name = name, .file = string("")});
  }
  return found->second;
}

bool Recorder::is_hidden_file(const std::string& path) const {
  return std::any_of(hidden_files_.begin(), hidden_files_.end(), [&](const std::string& ending) {
    return !ending.empty() && path.ends_with(ending);
  });
}

void Recorder::define_code(const CodeCopy& code) {
  if (code.number >= records_of_codes_.size()) {
    records_of_codes_.resize(code.number + 1, kUndefined);
  }
  if (code.file.ends_with(kCellRunner)) {
    records_of_codes_[code.number] = kRunsCells;
    return;
  }
  if (is_hidden_file(code.file)) {
    records_of_codes_[code.number] = code.file.ends_with(kMagics) ? kIsMagic : kHidden;
    return;
  }
  // Code that is compiled again and again with the same content is one function.
  const ContentId content = content_id(fmt::format("{}\n{}\n{}\n{}", code.qualified_name, code.file,
                                                   code.first_line, code.line_table));
  if (const auto known = code_records_.find(content); known != code_records_.end()) {
    records_of_codes_[code.number] = known->second;
    return;
  }
  if (code_records_.size() >= kMostCodes) {
    warn_once(warned_of_codes_, fmt::format("the program made more than {} functions; later ones "
                                            "are counted together as (other code)",
                                            kMostCodes));
    records_of_codes_[code.number] = label_code("(other code)");
    return;
  }
  RowWriter table(line_table_columns());
  const std::vector<SourceRange> ranges = decode_line_table(code.line_table, code.first_line);
  for (const SourceRange& range : ranges) {
    table.row({range.instruction, range.line, range.end_line, range.column, range.end_column});
  }
  const std::uint32_t record =
      writer_.add_code({.kind = FunctionKind::kPython,
                        .name = string(code.name),
                        .qualified_name = string(code.qualified_name),
                        .file = string(normal_path(code.file)),
                        .first_line = code.first_line,
                        .first_column = first_column_of(ranges, code.first_line)},
                       table);
  code_records_.emplace(content, record);
  Code& kept = codes_[record];
  kept = {.first_line = code.first_line,
          .line_table = code.line_table,
          .qualified_name = code.qualified_name};
  if (keeps_files_) kept.file = code.file;
  records_of_codes_[code.number] = record;
}

void Recorder::source(const std::string& file, std::string_view text) {
  const auto known = strings_.find(file);
  if (known != strings_.end()) writer_.source(known->second, SourceKind::kText, text);
}

std::uint32_t Recorder::node(std::uint32_t parent, std::uint64_t target, std::uint64_t position,
                             std::uint64_t instruction) {
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  const auto known = nodes_.find({parent, target, position, instruction});
  if (known != nodes_.end()) return known->second;
  if (next >= kMostNodes && parent != kNoNode) {
    warn_once(warned_of_nodes_,
              fmt::format("the program was seen on more than {} call paths; later ones are counted "
                          "where they leave the known ones",
                          kMostNodes));
    return parent;
  }
  nodes_.emplace(NodeKey{parent, target, position, instruction}, next);
  new_nodes_.row({parent == kNoNode ? 0 : std::int64_t{parent} + 1,
                  static_cast<std::int64_t>(target), static_cast<std::int64_t>(position),
                  static_cast<std::int64_t>(instruction)});
  return next;
}

bool Recorder::knows_code(std::uint32_t code) const {
  return code < records_of_codes_.size() && records_of_codes_[code] != kUndefined;
}

std::uint32_t Recorder::python_node(std::uint32_t parent, std::uint32_t code,
                                    std::int32_t instruction) {
  if (!knows_code(code)) return kNoNode;
  const std::uint32_t record = records_of_codes_[code];
  if (record == kHidden) return parent;
  if (record == kRunsCells) return kNoNode;
  if (record == kIsMagic) return label_node(kNoNode, kMagicLabel);
  const auto known = codes_.find(record);
  if (known == codes_.end()) return node(parent, std::uint64_t{record} * 2, 0, 0);
  const std::int32_t number = number_of(instruction);
  const std::uint32_t line = known->second.line_at(number);
  return node(parent, std::uint64_t{record} * 2, line, static_cast<std::uint32_t>(number + 1));
}

std::uint32_t Recorder::Code::line_at(std::int32_t number) const {
  return line_of(line_table, number, first_line);
}

std::optional<Recorder::SourcePlace> Recorder::place_of(std::uint32_t code,
                                                        std::int32_t instruction) const {
  if (!knows_code(code)) return std::nullopt;
  const auto known = codes_.find(records_of_codes_[code]);
  if (known == codes_.end()) return std::nullopt;
  const Code& facts = known->second;
  return SourcePlace{facts.file, facts.qualified_name, facts.line_at(number_of(instruction))};
}

std::uint32_t Recorder::native_node(std::uint32_t parent, const LoadedModule& module,
                                    std::uintptr_t program_counter) {
  const auto [found, is_new] = modules_.try_emplace(module.path, 0);
  if (is_new) {
    found->second = writer_.add_module(string(module.path), module.build_id, module.load_base,
                                       module.end - module.begin);
  }
  return node(parent, std::uint64_t{found->second} * 2 + 1, program_counter - module.load_base, 0);
}

std::uint32_t Recorder::label_node(std::uint32_t parent, const std::string& label) {
  return node(parent, std::uint64_t{label_code(label)} * 2, 0, 0);
}

void Recorder::sample(std::uint32_t thread, std::int64_t time, std::uint32_t node,
                      const TimeValues& values, std::int64_t mpi_cpu) {
  threads_[thread].rows.push_back({time, node, values, mpi_cpu});
}

bool Recorder::spread_runnable(std::uint32_t thread, std::int64_t time) {
  std::int64_t cpu = 0;
  for (const Row& row : threads_[thread].rows) cpu += row.cpu();
  if (cpu <= 0) return false;
  const auto add = [](Row& row, std::int64_t waited) {
    row.values[row.mpi_cpu != 0 ? TimeKind::kMpi : TimeKind::kRunnable] += waited;
    row.values[TimeKind::kWall] += waited;
  };
  std::int64_t left = time;
  // Hardly any goes to the last sample alone: numbers that are all different take room.
  constexpr std::int64_t kHardlyAny = 50;  // a fiftieth of the CPU time
  for (Row& row : threads_[thread].rows) {
    if (time < cpu / kHardlyAny) break;
    const auto share = static_cast<std::int64_t>(
        static_cast<double>(time) * static_cast<double>(row.cpu()) / static_cast<double>(cpu));
    add(row, share);
    left -= share;
  }
  add(threads_[thread].rows.back(), left);
  return true;
}

void Recorder::write_rows(std::uint32_t thread, ThreadRows& rows) {
  // Samples of a running and of a sleeping thread come by different ways.
  std::stable_sort(rows.rows.begin(), rows.rows.end(), is_before<Row, Row>);
  for (Row& row : rows.rows) {
    const TimeValues exact = row.values;
    const auto round = [&](TimeKind kind) {
      std::int64_t& carried = rows.carried[kind];
      const std::int64_t value = exact[kind] + carried;
      carried = value % resolution_;
      return value - carried;
    };
    const std::int64_t cpu = round(TimeKind::kCpu);
    for (std::size_t i = 0; i < kTimeKinds; ++i) {
      const auto kind = static_cast<TimeKind>(i);
      // What is the same stays the same, so that it takes no room.
      row.values[kind] = exact[kind] == exact[TimeKind::kCpu] ? cpu : round(kind);
    }
  }
  std::vector<BatchMetric> batch;
  std::vector<TimeKind> kinds;
  for (std::size_t kind = 0; kind < kTimeKinds; ++kind) {
    const auto has_it = [&](const Row& row) {
      return row.values[static_cast<TimeKind>(kind)] != 0;
    };
    if (std::none_of(rows.rows.begin(), rows.rows.end(), has_it)) continue;
    const auto is_as_before = [&](const Row& row) {
      return row.values[static_cast<TimeKind>(kind)] == row.values[kinds.back()];
    };
    const bool is_same =
        !kinds.empty() && std::all_of(rows.rows.begin(), rows.rows.end(), is_as_before);
    batch.push_back({metric(kind), is_same ? BatchMetric::kSameAsBefore : resolution_});
    kinds.push_back(static_cast<TimeKind>(kind));
  }
  RowWriter table(sample_columns(resolution_, batch));
  std::vector<std::int64_t> values(2 + kinds.size());
  for (const Row& row : rows.rows) {
    values[0] = row.time;
    values[1] = row.node;
    for (std::size_t i = 0; i < kinds.size(); ++i) values[i + 2] = row.values[kinds[i]];
    table.row(values);
  }
  writer_.samples(thread, resolution_, batch, table);
  rows.rows.clear();
}

void Recorder::write_new_nodes() {
  if (new_nodes_.count() == 0) return;
  writer_.nodes(new_nodes_);
  new_nodes_ = RowWriter(node_columns());
}

std::string Recorder::take_pending() {
  write_new_nodes();
  for (auto& [thread, rows] : threads_) {
    if (!rows.rows.empty()) write_rows(thread, rows);
  }
  std::erase_if(threads_, [](const auto& thread) { return thread.second.is_over; });
  return writer_.take_pending();
}

}  // namespace pyrometer
