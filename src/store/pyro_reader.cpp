#include "store/pyro_reader.h"

#include <algorithm>
#include <map>
#include <string>

#include "store/schema.h"

namespace pyrometer {
namespace {

constexpr std::size_t kSqliteHeader = 100;
// Where SQLite's header keeps these, big-endian.
constexpr std::size_t kEncodingOffset = 56;
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;

std::uint32_t big_endian(std::string_view header, std::size_t offset) {
  std::uint32_t value = 0;
  for (const char c : header.substr(offset, 4)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

bool looks_like_pyro(std::string_view prefix) {
  return prefix.size() >= kApplicationIdOffset + 4 && prefix.starts_with(kSqliteMagic) &&
         big_endian(prefix, kApplicationIdOffset) == kPyroApplicationId;
}

bool is_pyro_file(const Path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const auto prefix = read_prefix(path, kSqliteHeader);
  return prefix && looks_like_pyro(*prefix);
}

Result<PyroReader> PyroReader::open(const Path& path) {
  PYROMETER_TRY(const std::string header, read_prefix(path, kSqliteHeader));
  if (header.size() < kSqliteHeader || !looks_like_pyro(header)) {
    return fail(ErrorCode::kCorrupt, "'{}' is not a merged file of Pyrometer", path.string());
  }
  const std::uint32_t version = big_endian(header, kUserVersionOffset);
  if (version > kPyroVersion) {
    return fail(ErrorCode::kUnsupported,
                "'{}' has merged format {}, newer than this Pyrometer reads ({}); update it",
                path.string(), version, kPyroVersion);
  }
  PYROMETER_TRY(Database database, Database::open_untrusted(path));
  PyroReader reader(path, std::move(database), version);
  if (version == 0 || big_endian(header, kEncodingOffset) != SQLITE_UTF8) {
    return reader.damaged("its header contradicts itself");
  }
  PYROMETER_TRY_VOID(reader.check_schema());
  return reader;
}

tl::unexpected<Error> PyroReader::damaged(std::string_view what) const {
  return fail(ErrorCode::kCorrupt, "'{}' is damaged: {}; merge the recordings again",
              path_.string(), what);
}

Result<void> PyroReader::check_schema() const {
  std::map<std::string, std::string, std::less<>> definitions;
  // Users may add tables, views and indexes of their own: these are not read.
  PYROMETER_TRY_VOID(for_each_row(
      "sqlite_master", "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
      [&](Statement& row) {
        const std::string_view name = row.text(0);
        const bool is_ours = std::any_of(kTables.begin(), kTables.end(),
                                         [&](const Table& table) { return table.name == name; });
        return !is_ours || definitions.emplace(name, row.text(1)).second;
      }));
  for (const Table& table : kTables) {
    if (table.since > version_) continue;
    const auto found = definitions.find(table.name);
    if (found == definitions.end() || found->second != table.definition) {
      return damaged(fmt::format("table {} is missing or not as it was written", table.name));
    }
  }
  return {};
}

}  // namespace pyrometer
