#include "store/sqlite.h"

#include <array>
#include <limits>
#include <system_error>

namespace pyrometer {
namespace {

// No row of ours comes near; a text or blob beyond it is refused before it is allocated.
constexpr int kMaxValueBytes = 256 << 20;
// A row takes at least a cell pointer and a cell of two bytes each.
constexpr std::uint64_t kLeastRowBytes = 4;
constexpr int kInstructionsPerCheck = 1000;

// The path as a URI, so that options can be given with it.
std::string uri_of(const Path& file, const char* options) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/";
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri + "?" + options;
}

int count_instructions(void* context) {
  auto& budget = *static_cast<ReadBudget*>(context);
  if (budget.instructions < kInstructionsPerCheck) return 1;
  budget.instructions -= kInstructionsPerCheck;
  return 0;
}

}  // namespace

Result<bool> Statement::next() {
  row_ok_ = true;
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_DONE: return false;
    case SQLITE_ROW:
      if (connection_->spend(kLeastRowBytes)) return true;
      return fail(ErrorCode::kCorrupt, "'{}' is damaged: its tables hold more than the file does",
                  connection_->shown.string());
    default: return connection_->error();
  }
}

std::int64_t Statement::integer(int column) {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) {
    row_ok_ = false;
    return 0;
  }
  return sqlite3_column_int64(statement_.get(), column);
}

std::uint32_t Statement::u32(int column) {
  const std::int64_t value = integer(column);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    row_ok_ = false;
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

std::optional<std::int64_t> Statement::optional_integer(int column) {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::optional<std::uint32_t> Statement::optional_row(int column) {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  const std::uint32_t row = u32(column);
  if (row == std::numeric_limits<std::uint32_t>::max()) row_ok_ = false;
  return row;
}

std::string_view Statement::text(int column) {
  const void* data = is_text(column) ? sqlite3_column_text(statement_.get(), column) : nullptr;
  return bytes_of(column, SQLITE_TEXT, data);
}

std::string_view Statement::blob(int column) {
  return bytes_of(column, SQLITE_BLOB, sqlite3_column_blob(statement_.get(), column));
}

std::string_view Statement::bytes_of(int column, int type, const void* data) {
  if (sqlite3_column_type(statement_.get(), column) != type) {
    row_ok_ = false;
    return {};
  }
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  if (size == 0) return {};
  if (data == nullptr || !connection_->spend(size)) {
    row_ok_ = false;
    return {};
  }
  return {static_cast<const char*>(data), size};
}

void Statement::bind(int column, std::optional<std::int64_t> value) {
  if (value) {
    bind(column, *value);
  } else {
    sqlite3_bind_null(statement_.get(), column);
  }
}

// The bytes outlive the step that uses them, so SQLite need not copy them. An empty view
// may have no address, which SQLite would take for NULL.
void Statement::bind(int column, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), column, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int column, Blob blob) {
  sqlite3_bind_blob64(statement_.get(), column, blob.bytes.empty() ? "" : blob.bytes.data(),
                      blob.bytes.size(), SQLITE_STATIC);
}

Result<void> Statement::run_bound() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_DONE) return connection_->error();
  sqlite3_reset(statement_.get());
  return {};
}

bool Connection::spend(std::uint64_t bytes) {
  if (!budget) return true;
  if (budget->bytes < bytes) return false;
  budget->bytes -= bytes;
  return true;
}

tl::unexpected<Error> Connection::error() const {
  const int code = sqlite3_errcode(handle.get()) & 0xff;
  std::string reason = sqlite3_errmsg(handle.get());
  const int system_error = sqlite3_system_errno(handle.get());
  if (system_error != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)) {
    reason = std::generic_category().message(system_error);
  }
  if (code == SQLITE_NOMEM) {
    return fail(ErrorCode::kTooLarge, "'{}' needs more memory than there is", shown.string());
  }
  if (!budget) {
    return fail(ErrorCode::kIo, "cannot write '{}': {}; free some space or choose another place",
                shown.string(), reason);
  }
  if (code == SQLITE_CANTOPEN || code == SQLITE_PERM) {
    return fail(ErrorCode::kIo, "cannot open '{}': {}", shown.string(), reason);
  }
  return fail(ErrorCode::kCorrupt, "'{}' is damaged ({}); merge the recordings again",
              shown.string(), reason);
}

Result<Database> Database::open(Connection connection, const std::string& uri, int flags) {
  Database database(std::make_unique<Connection>(std::move(connection)));
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  database.connection_->handle.reset(handle);
  if (code != SQLITE_OK) return database.connection_->error();
  sqlite3_extended_result_codes(handle, 1);
  return database;
}

Result<Database> Database::create(const Path& file, const Path& shown) {
  // The file is private until it is renamed: locks would only fail on parallel file systems.
  PYROMETER_TRY(Database database, open({.shown = shown, .budget = std::nullopt},
                                        uri_of(file, "nolock=1"), SQLITE_OPEN_READWRITE));
  PYROMETER_TRY_VOID(
      database.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF;"
                       "PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                       "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000"));
  return database;
}

Result<Database> Database::create_in_memory() {
  return open({.shown = "the database", .budget = std::nullopt},
              ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<Database> Database::open_untrusted(const Path& file) {
  // Opened once by hand for a clear sentence when it is missing, a folder or a pipe.
  PYROMETER_TRY_VOID(open_for_reading(file));
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return fail(ErrorCode::kIo, "cannot read '{}': {}", file.string(), error.message());
  // Every column of a row takes a byte of its own, and a few instructions at most.
  const ReadBudget budget{.bytes = size, .instructions = 1'000'000 + 8 * size};
  PYROMETER_TRY(Database database, open({.shown = file, .budget = budget},
                                        uri_of(file, "immutable=1&mode=ro"), SQLITE_OPEN_READONLY));
  PYROMETER_TRY_VOID(database.restrict());
  return database;
}

Result<void> Database::restrict() const {
  sqlite3* handle = connection_->handle.get();
  sqlite3_progress_handler(handle, kInstructionsPerCheck, count_instructions,
                           &*connection_->budget);
  constexpr std::array kSwitches = {
      std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0), std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      std::pair(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)};
  for (const auto& [option, value] : kSwitches) sqlite3_db_config(handle, option, value, nullptr);
  constexpr std::array kLimits = {std::pair(SQLITE_LIMIT_LENGTH, kMaxValueBytes),
                                  std::pair(SQLITE_LIMIT_SQL_LENGTH, 100'000),
                                  std::pair(SQLITE_LIMIT_COLUMN, 100),
                                  std::pair(SQLITE_LIMIT_EXPR_DEPTH, 50),
                                  std::pair(SQLITE_LIMIT_VDBE_OP, 10'000),
                                  std::pair(SQLITE_LIMIT_ATTACHED, 0),
                                  std::pair(SQLITE_LIMIT_WORKER_THREADS, 0)};
  for (const auto& [limit, value] : kLimits) sqlite3_limit(handle, limit, value);
  return execute(
      "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
      "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000");
}

Result<Statement> Database::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_->handle.get(), sql, -1, &statement, nullptr);
  Statement prepared(*connection_, statement);
  if (code != SQLITE_OK) return connection_->error();
  return prepared;
}

Result<void> Database::execute(const char* sql) const {
  const int code = sqlite3_exec(connection_->handle.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return connection_->error();
  return {};
}

Result<std::string> Database::bytes() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> data(
      sqlite3_serialize(connection_->handle.get(), "main", &size, 0), sqlite3_free);
  if (!data) {
    return fail(ErrorCode::kTooLarge, "{} needs more memory than there is",
                connection_->shown.string());
  }
  return std::string(reinterpret_cast<const char*>(data.get()), static_cast<std::size_t>(size));
}

Result<void> Database::close() {
  if (sqlite3_close(connection_->handle.get()) != SQLITE_OK) return connection_->error();
  static_cast<void>(connection_->handle.release());  // closed above
  return {};
}

}  // namespace pyrometer
