// SQLite's handles as values. Everything else speaks SQL through these two.
//
// A Database is either being written (a new file that nobody else sees) or read from a file
// that nobody has checked. For the latter a budget holds: a file cannot yield more rows and
// bytes than it has, so a table that points at itself ends in an error, not in all memory.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace pyrometer {

// Bytes that are not text.
struct Blob {
  std::string_view bytes;
};

// What a file that is being read may still cost.
struct ReadBudget {
  std::uint64_t bytes = 0;         // rows and their contents
  std::uint64_t instructions = 0;  // of SQLite's machine
};

// What a database and its statements share; its address does not change.
struct Connection {
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  Path shown;                        // the file as the user knows it
  std::optional<ReadBudget> budget;  // none while writing
  std::unique_ptr<sqlite3, Close> handle = nullptr;

  bool spend(std::uint64_t bytes);
  tl::unexpected<Error> error() const;  // what SQLite refused last, in a sentence
};

class Statement {
 public:
  // Inserts one row. Values: integers, optional integers, doubles, text and Blob.
  template <class... Values>
  Result<void> run(const Values&... values) {
    int column = 0;
    (bind(++column, values), ...);
    return run_bound();
  }

  // Moves to the next row; false after the last one.
  Result<bool> next();

  // Values of the current row. One of another type or range yields zero or nothing and
  // marks the row as bad: a reader takes all columns and asks row_ok() once.
  std::int64_t integer(int column);
  std::uint32_t u32(int column);
  std::optional<std::int64_t> optional_integer(int column);
  std::optional<std::uint32_t> optional_row(int column);  // NULL, or anything but Id::none()
  std::string_view text(int column);  // valid until the next row, as is the next one
  std::string_view blob(int column);
  bool is_text(int column) { return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT; }
  bool row_ok() const { return row_ok_; }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Statement(Connection& connection, sqlite3_stmt* statement)
      : connection_(&connection), statement_(statement) {}

  void bind(int column, std::int64_t value) { sqlite3_bind_int64(statement_.get(), column, value); }
  void bind(int column, std::uint32_t value) { bind(column, std::int64_t{value}); }
  void bind(int column, double value) { sqlite3_bind_double(statement_.get(), column, value); }
  void bind(int column, std::optional<std::int64_t> value);
  void bind(int column, std::string_view text);
  void bind(int column, Blob blob);
  Result<void> run_bound();
  std::string_view bytes_of(int column, int type, const void* data);

  Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  bool row_ok_ = true;
};

class Database {
 public:
  // A new database in the empty file `file`. Errors name `shown`, what the user asked for.
  static Result<Database> create(const Path& file, const Path& shown);
  // A new database without a file; bytes() gives what the file would hold.
  static Result<Database> create_in_memory();
  // A file from anywhere, read-only and without executing anything it brings along.
  static Result<Database> open_untrusted(const Path& file);

  // A statement must not outlive its database.
  Result<Statement> prepare(const char* sql) const;
  Result<void> execute(const char* sql) const;
  Result<std::string> bytes() const;
  // Writes what is still in memory; all statements are gone by then.
  Result<void> close();

 private:
  explicit Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
  static Result<Database> open(Connection connection, const std::string& uri, int flags);
  Result<void> restrict() const;

  std::unique_ptr<Connection> connection_;
};

}  // namespace pyrometer
