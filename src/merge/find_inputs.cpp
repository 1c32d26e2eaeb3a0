#include "merge/find_inputs.h"

#include <map>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "store/pyro_reader.h"

namespace pyrometer {
namespace {

// Leaves out what the merged file has already. A recording that had not ended may have grown.
Result<void> keep_what_is_new(const Path& output, FoundInputs& found) {
  for (const Input& input : found.inputs.files) {
    if (input.is_of_run) continue;
    return fail(ErrorCode::kUsage,
                "'{}' is no run directory; --update adds what is new in run directories",
                input.path.string());
  }
  std::error_code ignored;
  if (!std::filesystem::exists(output, ignored)) return {};
  PYROMETER_TRY(const PyroReader reader, PyroReader::open(output));
  PYROMETER_TRY(const MergedTables tables, reader.read_tables());
  std::map<std::string, bool, std::less<>> has_ended;  // by recording
  for (const Process& process : tables.profile.processes) {
    has_ended[process.source] = process.status == ProcessStatus::kFinished;
  }
  std::vector<Input> files{{output, false}};
  for (Input& input : found.inputs.files) {
    const auto known = has_ended.find(input.path.filename().string());
    if (known != has_ended.end() && known->second) {
      ++found.unchanged;
      continue;
    }
    if (known != has_ended.end()) found.inputs.replaced.insert(known->first);
    files.push_back(std::move(input));
  }
  found.inputs.files = std::move(files);
  found.is_update = true;
  return {};
}

Result<FoundInputs> look(std::span<const Path> names, const Path& output, bool update) {
  FoundInputs found;
  PYROMETER_TRY(found.inputs.files, expand_inputs(names));
  if (found.inputs.files.empty()) {
    return fail(ErrorCode::kUsage, "nothing to merge; name run directories or profile files");
  }
  if (update) PYROMETER_TRY_VOID(keep_what_is_new(output, found));
  return found;
}

std::string encode(const FoundInputs& found) {
  ByteWriter out;
  out.varint(found.inputs.files.size());
  for (const Input& input : found.inputs.files) {
    out.sized_bytes(input.path.string());
    out.u8(input.is_of_run ? 1 : 0);
  }
  out.varint(found.inputs.replaced.size());
  for (const std::string& source : found.inputs.replaced) out.sized_bytes(source);
  out.varint(found.unchanged);
  out.u8(found.is_update ? 1 : 0);
  return out.take();
}

FoundInputs decode(std::string_view bytes) {
  FoundInputs found;
  ByteReader in(bytes);
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    const Path path(in.sized_bytes());
    found.inputs.files.push_back({path, in.u8() != 0});
  }
  for (std::uint64_t left = in.varint(); left > 0; --left) {
    found.inputs.replaced.emplace(in.sized_bytes());
  }
  found.unchanged = in.varint();
  found.is_update = in.u8() != 0;
  return found;
}

}  // namespace

Result<FoundInputs> find_inputs(std::span<const Path> names, const Path& output, bool update,
                                Team& team) {
  FoundInputs found;
  Result<void> result;
  if (team.is_first()) {
    auto looked = look(names, output, update);
    if (looked) {
      found = *std::move(looked);
    } else {
      result = tl::unexpected(looked.error());
    }
  }
  PYROMETER_TRY_VOID(agree(team, result));
  if (team.size() == 1) return found;
  return decode(broadcast(team, encode(found)));
}

}  // namespace pyrometer
