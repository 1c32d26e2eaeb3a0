// What members tell each other about the program and its processes.
#include "merge/wire.h"

namespace pyrometer {
namespace {

template <class Table>
void write_id(ByteWriter& out, Id<Table> id) {
  out.varint(id.is_none() ? 0 : std::uint64_t{id.row()} + 1);
}

template <class RowId>
RowId read_id(ByteReader& in) {
  const std::uint64_t row = in.varint();
  return row == 0 ? RowId::none() : RowId(static_cast<std::uint32_t>(row - 1));
}

void write_content_id(ByteWriter& out, const ContentId& id) {
  out.u64(id.high);
  out.u64(id.low);
}

ContentId read_content_id(ByteReader& in) {
  const std::uint64_t high = in.u64();
  return {.high = high, .low = in.u64()};
}

void write_functions(ByteWriter& out, const Profile& profile) {
  out.varint(profile.modules.size());
  for (const Module& module : profile.modules) {
    out.sized_bytes(profile.text(module.path));
    out.sized_bytes(module.build_id);
  }
  out.varint(profile.functions.size());
  for (const Function& function : profile.functions) {
    out.u8(static_cast<std::uint8_t>(function.kind));
    for (const StringId text :
         {function.name, function.qualified_name, function.file, function.short_file}) {
      out.sized_bytes(profile.text(text));
    }
    out.varint(function.first_line);
    out.varint(function.first_column);
    write_id(out, function.module);
    out.varint(function.offset);
    write_content_id(out, function.id);
  }
}

void read_functions(ByteReader& in, Profile& profile) {
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const StringId path = profile.strings.intern(in.sized_bytes());
    profile.modules.push_back({path, std::string(in.sized_bytes())});
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    Function function;
    function.kind = static_cast<FunctionKind>(in.u8());
    for (StringId* text :
         {&function.name, &function.qualified_name, &function.file, &function.short_file}) {
      *text = profile.strings.intern(in.sized_bytes());
    }
    function.first_line = in.varint32();
    function.first_column = in.varint32();
    function.module = read_id<ModuleId>(in);
    function.offset = in.varint();
    function.id = read_content_id(in);
    profile.functions.push_back(function);
  }
}

void write_items(ByteWriter& out, const MergedTables& tables) {
  out.varint(tables.profile.nodes.size());
  for (const Node& node : tables.profile.nodes) {
    write_id(out, node.parent);
    write_id(out, node.function);
    out.varint(node.line);
    write_content_id(out, node.id);
  }
  out.varint(tables.lines.size());
  for (const LineItem& line : tables.lines) {
    write_id(out, line.function);
    out.varint(line.line);
  }
  out.varint(tables.edges.size());
  for (const EdgeItem& edge : tables.edges) {
    write_id(out, edge.caller);
    write_id(out, edge.callee);
  }
  out.varint(tables.quickest_calls.size());
  for (const QuickestCall& call : tables.quickest_calls) {
    write_id(out, call.function);
    out.varint(call.communicator);
    out.varint(call.size_class);
    out.signed_varint(call.time);
  }
}

void read_items(ByteReader& in, MergedTables& tables) {
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    Node node;
    node.parent = read_id<NodeId>(in);
    node.function = read_id<FunctionId>(in);
    node.line = in.varint32();
    node.id = read_content_id(in);
    tables.profile.nodes.push_back(node);
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const auto function = read_id<FunctionId>(in);
    tables.lines.push_back({function, in.varint32()});
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const auto caller = read_id<FunctionId>(in);
    tables.edges.push_back({caller, read_id<FunctionId>(in)});
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    QuickestCall call;
    call.function = read_id<FunctionId>(in);
    call.communicator = in.varint32();
    call.size_class = in.varint32();
    call.time = in.signed_varint();
    tables.quickest_calls.push_back(call);
  }
}

}  // namespace

void write_tables(ByteWriter& out, const MergedTables& tables) {
  const Profile& profile = tables.profile;
  out.varint(profile.metrics.size());
  for (const Metric& metric : profile.metrics) {
    out.sized_bytes(metric.name);
    out.u8(static_cast<std::uint8_t>(metric.unit));
    out.u8(static_cast<std::uint8_t>(metric.combine));
  }
  write_functions(out, profile);
  write_items(out, tables);
  out.varint(profile.sources.size());
  for (const auto& [file, source] : profile.sources) {
    out.sized_bytes(profile.text(file));
    out.u8(source.is_hash ? 1 : 0);
    out.sized_bytes(source.content);
  }
  out.varint(profile.notes.size());
  for (const std::string& note : profile.notes) out.sized_bytes(note);
  out.u8(profile.is_sampled ? 1 : 0);
  out.u8(profile.paths_are_estimated ? 1 : 0);
}

MergedTables read_tables(ByteReader& in) {
  MergedTables tables;
  Profile& profile = tables.profile;
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    Metric metric{.name = std::string(in.sized_bytes())};
    metric.unit = static_cast<Unit>(in.u8());
    metric.combine = static_cast<Combine>(in.u8());
    profile.metrics.push_back(std::move(metric));
  }
  read_functions(in, profile);
  read_items(in, tables);
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const StringId file = profile.strings.intern(in.sized_bytes());
    const bool is_hash = in.u8() != 0;
    profile.sources.emplace(file, SourceText{is_hash, std::string(in.sized_bytes())});
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    profile.notes.emplace_back(in.sized_bytes());
  }
  profile.is_sampled = in.u8() != 0;
  profile.paths_are_estimated = in.u8() != 0;
  return tables;
}

}  // namespace pyrometer
