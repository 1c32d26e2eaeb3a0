// Panels on their way to the file.
#include "merge/events.h"
#include "merge/panel_parts.h"
#include "merge/wire.h"

namespace pyrometer {
namespace {

enum class Part : std::uint8_t { kBlock, kProcess };

}  // namespace

Result<void> WriterSink::add(ProcessId process, std::string_view events,
                             const ProcessDetails& details) {
  if (!events.empty()) PYROMETER_TRY_VOID(write_events(events, tables_, process, writer_));
  return write_details(details, tables_, process, writer_);
}

MessageSink::MessageSink(const MergedTables& tables)
    : tables_(tables), rows_(identity_rows(tables)) {}

Result<void> MessageSink::add(const EncodedBlock& block) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(Part::kBlock));
  write_block(out, block);
  messages_.push_back(out.take());
  return {};
}

Result<void> MessageSink::add(ProcessId process, std::string_view events,
                              const ProcessDetails& details) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(Part::kProcess));
  out.varint(process.row());
  out.sized_bytes(events);
  out.sized_bytes(pack_details(details, tables_, rows_).bytes);
  messages_.push_back(out.take());
  return {};
}

void MessageSink::send(Team& team) {
  for (const std::string& message : messages_) team.send(0, message);
  team.send(0, "");
  messages_.clear();
}

Result<void> receive_panel(std::uint32_t from, const MergedTables& tables, Team& team,
                           PanelSink& sink) {
  const RowMaps rows = identity_rows(tables);
  Result<void> result;
  for (std::string message; !(message = team.receive(from)).empty();) {
    if (!result) continue;
    ByteReader in(message);
    if (static_cast<Part>(in.u8()) == Part::kBlock) {
      result = sink.add(read_block(in));
      continue;
    }
    const ProcessId process(in.varint32());
    const std::string_view events = in.sized_bytes();
    result = sink.add(process, events, unpack_details(in.sized_bytes(), rows));
  }
  return result;
}

}  // namespace pyrometer
