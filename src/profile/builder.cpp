#include "profile/builder.h"

#include <algorithm>
#include <array>

#include "base/byte_writer.h"
#include "profile/totals.h"

namespace pyrometer {
namespace {

ContentId id_of_function(const ProfileBuilder::FunctionKey& key, std::string_view build_id) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(key.kind));
  out.sized_bytes(key.short_file);
  out.sized_bytes(key.qualified_name.empty() ? key.name : key.qualified_name);
  out.u32(key.first_line);
  out.u32(key.first_column);
  out.sized_bytes(build_id);
  out.u64(key.offset);
  return content_id(out.bytes());
}

// A program has many nodes: their bytes are laid out in place.
ContentId id_of_node(const ContentId& parent, const ContentId& function, std::uint32_t line) {
  std::array<char, 4 * sizeof(std::uint64_t) + sizeof line> bytes{};
  char* at = bytes.data();
  const auto put = [&at](auto value) {
    for (std::size_t i = 0; i < sizeof value; ++i) *at++ = static_cast<char>(value >> (8 * i));
  };
  put(parent.high);
  put(parent.low);
  put(function.high);
  put(function.low);
  put(line);
  return content_id({bytes.data(), bytes.size()});
}

}  // namespace

MetricId ProfileBuilder::metric(const Metric& metric) {
  if (const auto found = profile_.find_metric(metric.name)) return *found;
  profile_.metrics.push_back(metric);
  return MetricId::from_index(profile_.metrics.size() - 1);
}

ModuleId ProfileBuilder::module(std::string_view path, std::string_view build_id) {
  const StringId path_id = string(path);
  auto& modules = profile_.modules;
  const auto found = std::find_if(modules.begin(), modules.end(), [&](const Module& module) {
    return module.path == path_id && module.build_id == build_id;
  });
  if (found != modules.end()) {
    return ModuleId::from_index(static_cast<std::size_t>(found - modules.begin()));
  }
  modules.push_back({path_id, std::string(build_id)});
  return ModuleId::from_index(modules.size() - 1);
}

FunctionId ProfileBuilder::function(const FunctionKey& key) {
  std::string_view build_id;
  if (!key.module.is_none()) {
    const Module& module = profile_.modules[key.module.row()];
    build_id = module.build_id.empty() ? profile_.text(module.path) : module.build_id;
  }
  const ContentId id = id_of_function(key, build_id);
  const auto [found, inserted] =
      functions_.try_emplace(id, FunctionId::from_index(profile_.functions.size()));
  if (inserted) {
    profile_.functions.push_back({.kind = key.kind,
                                  .name = string(key.name),
                                  .qualified_name = string(key.qualified_name),
                                  .file = string(key.file),
                                  .short_file = string(key.short_file),
                                  .first_line = key.first_line,
                                  .first_column = key.first_column,
                                  .module = key.module,
                                  .offset = key.offset,
                                  .id = id});
  }
  return found->second;
}

NodeId ProfileBuilder::node(NodeId parent, FunctionId function, std::uint32_t line) {
  const NodeKey key{parent.row(), function.row(), line};
  const auto [found, inserted] = nodes_.try_emplace(key, NodeId::from_index(profile_.nodes.size()));
  if (inserted) {
    const ContentId parent_id = parent.is_none() ? ContentId{} : profile_.nodes[parent.row()].id;
    const ContentId& function_id = profile_.functions[function.row()].id;
    profile_.nodes.push_back({parent, function, line, id_of_node(parent_id, function_id, line)});
  }
  return found->second;
}

ProcessId ProfileBuilder::add_process(Process process) {
  profile_.processes.push_back(std::move(process));
  return ProcessId::from_index(profile_.processes.size() - 1);
}

ThreadId ProfileBuilder::add_thread(Thread thread) {
  profile_.threads.push_back(thread);
  values_.emplace_back();
  return ThreadId::from_index(profile_.threads.size() - 1);
}

void ProfileBuilder::add_flat(const FlatValue& value) {
  const FlatKey key{value.thread.row(), value.metric.row(), value.caller.row(), value.callee.row()};
  const auto [found, inserted] = flat_values_.try_emplace(key, profile_.flat_values.size());
  if (inserted) {
    profile_.flat_values.push_back(value);
    return;
  }
  FlatValue& sum = profile_.flat_values[found->second];
  sum.self = combined(Combine::kSum, sum.self, value.self);
  sum.total = combined(Combine::kSum, sum.total, value.total);
}

void ProfileBuilder::add_line(const LineValue& value) {
  const FlatKey key{value.thread.row(), value.metric.row(), value.line, value.function.row()};
  const auto [found, inserted] = line_values_.try_emplace(key, profile_.line_values.size());
  if (inserted) {
    profile_.line_values.push_back(value);
    return;
  }
  LineValue& sum = profile_.line_values[found->second];
  sum.value = combined(profile_.metrics[value.metric.row()].combine, sum.value, value.value);
}

Profile ProfileBuilder::finish() {
  derive_mpi_values();
  profile_.thread_cells.clear();
  for (const ValueRows& rows : values_) {
    profile_.thread_cells.push_back(rows.cells(profile_.metrics.size()));
  }
  compute_totals(profile_);
  return std::move(profile_);
}

}  // namespace pyrometer
