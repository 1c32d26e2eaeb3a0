// Changes and queries a merged file behind Pyrometer's back.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace pyrometer::testing {

// The rows that `sql` gives: columns joined by '|', rows by a newline.
inline std::string run_sql(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string result;
  const auto add_row = [](void* out, int count, char** values, char**) {
    auto& text = *static_cast<std::string*>(out);
    if (!text.empty()) text += '\n';
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += '|';
      text += values[i] == nullptr ? "NULL" : values[i];
    }
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add_row, &result, nullptr), SQLITE_OK)
      << sql << ": " << sqlite3_errmsg(database);
  sqlite3_close(database);
  return result;
}

}  // namespace pyrometer::testing
