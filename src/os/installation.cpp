#include "os/installation.h"

namespace pyrometer {

Result<Installation> find_installation() {
  std::error_code error;
  const Path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot find out where Pyrometer is installed: /proc/self/exe: {}",
                error.message());
  }
  const Path start = executable.parent_path().parent_path() / "libexec" / "pyrometer" / "start";
  if (!std::filesystem::is_regular_file(start / "sitecustomize.py", error)) {
    return fail(ErrorCode::kNotFound, "the recorder is missing in '{}'; install Pyrometer again",
                start.string());
  }
  return Installation{.start_folder = start};
}

}  // namespace pyrometer
