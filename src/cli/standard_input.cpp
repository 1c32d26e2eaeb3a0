#include "cli/standard_input.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "cli/terminal.h"

namespace pyrometer {
namespace {

constexpr const char* kName = "stdin";  // as reports call it

// For the eyes of this user alone, until the program ends.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::error_code ignored;
    Path pattern = std::filesystem::temp_directory_path(ignored);
    if (pattern.empty()) pattern = "/tmp";
    std::string name = (pattern / "pyrometer-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~PrivateFolder() { remove(); }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const Path& path() const { return path_; }  // empty when it could not be made

  void remove() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    path_.clear();
  }

 private:
  Path path_;
};

Result<void> copy_standard_input(const Path& path) {
  const auto failed = [&] {
    return fail(ErrorCode::kIo, "cannot keep standard input in '{}': {}; free some space there",
                path.string(), last_error_text());
  };
  const FileHandle file(std::fopen(path.c_str(), "wbx"));
  if (!file) return failed();
  auto piece = std::make_unique<std::array<char, std::size_t{1} << 20>>();
  bool is_empty = true;
  while (const std::size_t size = std::fread(piece->data(), 1, piece->size(), stdin)) {
    is_empty = false;
    if (std::fwrite(piece->data(), 1, size, file.get()) != size) return failed();
  }
  if (std::ferror(stdin) != 0) {
    return fail(ErrorCode::kIo, "cannot read standard input: {}", last_error_text());
  }
  if (std::fflush(file.get()) != 0) return failed();
  if (!is_empty) return {};
  return fail(ErrorCode::kCorrupt,
              "standard input is empty; the command in front of the pipe wrote no profile");
}

// Made only when it is needed.
std::optional<PrivateFolder>& folder() {
  static std::optional<PrivateFolder> only;
  return only;
}

}  // namespace

Result<Path> standard_input_file() {
  if (folder()) return folder()->path() / kName;
  if (stdin_is_terminal()) {
    return fail(ErrorCode::kUsage,
                "'-' is a profile from standard input, and that is a terminal; name a file, or put "
                "'COMMAND |' in front");
  }
  folder().emplace();
  if (folder()->path().empty()) {
    return fail(ErrorCode::kIo,
                "cannot make a temporary folder for standard input; set TMPDIR to one that exists");
  }
  const Path path = folder()->path() / kName;
  PYROMETER_TRY_VOID(copy_standard_input(path));
  return path;
}

void remove_standard_input_file() {
  if (folder()) folder()->remove();
}

}  // namespace pyrometer
