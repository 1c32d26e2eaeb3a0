#include "cli/picture_file.h"

#include "base/file.h"
#include "os/tool_process.h"

namespace pyrometer {
namespace {

// Twice the pixels of the drawing, for today's screens.
constexpr const char* kZoom = "2";

struct RemoveFile {
  Path path;
  explicit RemoveFile(Path file) : path(std::move(file)) {}
  ~RemoveFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  RemoveFile(const RemoveFile&) = delete;
  RemoveFile& operator=(const RemoveFile&) = delete;
};

}  // namespace

Result<void> check_picture_name(const std::string& file) {
  if (file.ends_with(".svg") || file.ends_with(".png")) return {};
  return fail(ErrorCode::kUsage, "--plot writes .svg and .png files, and '{}' is neither", file);
}

Result<void> write_picture(const std::string& file, std::string_view svg) {
  if (file.ends_with(".svg")) return write_file(file, svg);
  // Absolute, so that no name is taken for an option.
  const Path path = std::filesystem::absolute(file);
  const RemoveFile drawing(temporary_beside(path));
  const RemoveFile picture(temporary_beside(path));
  PYROMETER_TRY_VOID(write_file(drawing.path, svg));
  const auto ending = run_tool({"rsvg-convert", "--zoom", kZoom, "--format", "png", "--output",
                                picture.path.string(), drawing.path.string()});
  if (!ending && ending.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                "PNG pictures need the program rsvg-convert (Debian: librsvg2-bin); name a .svg "
                "file, or install it");
  }
  if (!ending) return tl::unexpected(ending.error());
  if (!ending->is_good()) {
    return fail(ErrorCode::kIo, "rsvg-convert could not make '{}': {}", file,
                ending->complaint.substr(0, ending->complaint.find('\n')));
  }
  return move_into_place(picture.path, file);
}

}  // namespace pyrometer
