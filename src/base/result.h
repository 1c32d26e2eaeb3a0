// Errors are values: a function that can fail on input or on the machine returns
// Result<T>. The message is a whole sentence for the user: what, where, what to do.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace pyrometer {

enum class ErrorCode {
  kUsage,        // the user asked for something that makes no sense
  kNotFound,     // a file or name does not exist
  kCorrupt,      // input that cannot be what it claims to be
  kUnsupported,  // sound input that this version does not understand
  kTooLarge,     // input beyond a stated limit
  kIo,           // the machine refused: permissions, full disk, ...
};

struct Error {
  ErrorCode code;
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format,
                                         Args&&... args) {
  return tl::unexpected(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace pyrometer

#define PYROMETER_CONCAT_INNER(a, b) a##b
#define PYROMETER_CONCAT(a, b) PYROMETER_CONCAT_INNER(a, b)

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration cannot stand in parentheses.
// PYROMETER_TRY(const auto header, read_header(in)): returns the error, or declares the value.
#define PYROMETER_TRY(declaration, expression)                                     \
  auto PYROMETER_CONCAT(result_, __LINE__) = (expression);                         \
  if (!PYROMETER_CONCAT(result_, __LINE__)) {                                      \
    return tl::unexpected(std::move(PYROMETER_CONCAT(result_, __LINE__)).error()); \
  }                                                                                \
  declaration = *std::move(PYROMETER_CONCAT(result_, __LINE__))
// NOLINTEND(bugprone-macro-parentheses)

// The same for an expression whose value is void or not wanted.
#define PYROMETER_TRY_VOID(expression)                   \
  do {                                                   \
    if (auto checked = (expression); !checked) {         \
      return tl::unexpected(std::move(checked).error()); \
    }                                                    \
  } while (false)
