#include "os/installation.h"

namespace pyrometer {

Result<Installation> find_installation() {
  std::error_code error;
  const Path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return fail(ErrorCode::kIo, "cannot find out where Pyrometer is installed: /proc/self/exe: {}",
                error.message());
  }
  const Path files = executable.parent_path().parent_path() / "libexec" / "pyrometer";
  Installation installation{.start_folder = files / "start",
                            .mpi_library = files / "_preload.so",
                            .memory_library = files / "_memory.so",
                            .copies_library = files / "_copies.so"};
  if (!std::filesystem::is_regular_file(installation.start_folder / "sitecustomize.py", error)) {
    return fail(ErrorCode::kNotFound, "the recorder is missing in '{}'; install Pyrometer again",
                installation.start_folder.string());
  }
  for (Path* library :
       {&installation.mpi_library, &installation.memory_library, &installation.copies_library}) {
    if (!std::filesystem::is_regular_file(*library, error)) library->clear();
  }
  return installation;
}

}  // namespace pyrometer
