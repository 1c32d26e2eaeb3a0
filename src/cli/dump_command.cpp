#include "base/json_writer.h"
#include "base/printable.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "record/describe.h"
#include "record/reader.h"
#include "record/run_directory.h"

namespace pyrometer {
namespace {

struct DumpArguments {
  std::vector<std::string> recordings;
  bool json = false;
};

constexpr std::string_view end_words(RecordingEnd end) {
  switch (end) {
    case RecordingEnd::kComplete: return "complete";
    case RecordingEnd::kKilled: return "killed";
    case RecordingEnd::kTruncated: return "truncated";
    case RecordingEnd::kDamaged: return "damaged";
  }
  return "?";
}

std::string as_text(const RecordDescription::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + printable(*text) + "'";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::to_string(std::get<std::uint64_t>(value));
}

std::string text_of(const Frame& frame, const RecordDescription& description) {
  std::string out = fmt::format("{:6}  {}", frame.sequence, record_type_name(frame.type));
  for (const auto& [name, value] : description.fields) {
    out += fmt::format("  {}={}", name, as_text(value));
  }
  out += '\n';
  for (const auto& row : description.rows) {
    out += "       ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += fmt::format(" {}={}", description.columns[i], row[i]);
    }
    out += '\n';
  }
  return out;
}

void write_json(JsonWriter& json, const Frame& frame, const RecordDescription& description) {
  json.begin_object().member("sequence", frame.sequence);
  json.member("type", record_type_name(frame.type));
  for (const auto& [name, value] : description.fields) {
    json.key(name);
    std::visit([&](const auto& v) { json.value(v); }, value);
  }
  if (!description.columns.empty()) {
    json.key("columns").begin_array();
    for (const std::string_view column : description.columns) json.value(column);
    json.end_array().key("rows").begin_array();
    for (const auto& row : description.rows) {
      json.begin_array();
      for (const std::int64_t value : row) json.value(value);
      json.end_array();
    }
    json.end_array();
  }
  json.end_object();
}

std::string header_text(const Path& path, const RecordingHeader& header) {
  return fmt::format(
      "{}\n  format {}  rank {}  size {}  host {}  pid {}  parent {}  launch {}\n"
      "  monotonic {}  realtime {}\n",
      printable(path.string()), header.format_version, header.rank, header.world_size,
      printable(header.host), header.pid, header.parent_pid, printable(header.launch),
      header.monotonic, header.realtime);
}

// Calls each(frame, description) for every record up to the end or the first damage.
template <class Each>
Result<void> for_each_record(RecordingReader& reader, Each each) {
  while (const std::optional<Frame> frame = reader.next_frame()) {
    auto record = decode_record(*frame);
    if (!record) {
      reader.set_damaged(record.error().message);
      break;
    }
    RecordDescription description;
    if (*record) description = describe(**record);
    PYROMETER_TRY_VOID(each(*frame, description));
    if (!description.rows_are_whole) {
      reader.set_damaged(fmt::format("the rows of record {} are cut", frame->sequence));
      break;
    }
  }
  return {};
}

Result<void> dump_text(const Path& path) {
  PYROMETER_TRY(RecordingReader reader, RecordingReader::open(path));
  PYROMETER_TRY_VOID(write_to_stdout(header_text(path, reader.header())));
  PYROMETER_TRY_VOID(
      for_each_record(reader, [](const Frame& frame, const RecordDescription& description) {
        return write_to_stdout(text_of(frame, description));
      }));
  const std::string damage = reader.damage().empty() ? "" : ": " + printable(reader.damage());
  return write_to_stdout(fmt::format("  end: {}{}\n", end_words(reader.end()), damage));
}

Result<void> dump_json(JsonWriter& json, const Path& path) {
  PYROMETER_TRY(RecordingReader reader, RecordingReader::open(path));
  const RecordingHeader& header = reader.header();
  json.begin_object().member("file", path.string());
  json.key("header").begin_object().member("format_version", header.format_version);
  json.member("rank", header.rank).member("world_size", header.world_size);
  json.member("host", header.host).member("pid", header.pid);
  json.member("parent_pid", header.parent_pid).member("launch", header.launch);
  json.member("process_start", header.process_start).member("monotonic", header.monotonic);
  json.member("realtime", header.realtime).end_object();
  json.key("records").begin_array();
  PYROMETER_TRY_VOID(
      for_each_record(reader, [&](const Frame& frame, const RecordDescription& description) {
        write_json(json, frame, description);
        return Result<void>{};
      }));
  json.end_array().member("end", end_words(reader.end())).member("damage", reader.damage());
  json.end_object();
  return {};
}

Result<void> run_dump(const DumpArguments& arguments) {
  std::vector<Path> paths;
  for (const std::string& name : arguments.recordings) {
    if (!is_run_directory(name)) {
      paths.emplace_back(name);
      continue;
    }
    PYROMETER_TRY(const std::vector<Path> found, list_recordings(name));
    paths.insert(paths.end(), found.begin(), found.end());
  }
  if (!arguments.json) {
    for (const Path& path : paths) PYROMETER_TRY_VOID(dump_text(path));
    return {};
  }
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-dump");
  json.key("recordings").begin_array();
  for (const Path& path : paths) PYROMETER_TRY_VOID(dump_json(json, path));
  json.end_array().end_object();
  return write_to_stdout(json.take());
}

}  // namespace

void add_dump_command(CommandLine& line) {
  auto arguments = std::make_shared<DumpArguments>();
  CLI::App& command =
      *line.app.add_subcommand("dump", "Print every record of a recording in readable form");
  command.add_option("RECORDING", arguments->recordings, "Recordings (.pyr) or run directories")
      ->required()
      ->type_name("");
  command.add_flag("--json", arguments->json, "One JSON document instead of text");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_dump(*arguments); }; });
}

}  // namespace pyrometer
