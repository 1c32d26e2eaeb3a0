#include "collect/program_facts.h"

#include <unistd.h>

#include <filesystem>

#include "collect/launch_facts.h"
#include "cpython/python_api.h"
#include "cpython/python_text.h"
#include "os/clocks.h"
#include "os/host_name.h"
#include "os/launch_identity.h"
#include "os/rank.h"

namespace pyrometer {
namespace {

std::vector<std::string> list_of_texts(const char* name) {
  std::vector<std::string> texts;
  PyObject* list = PySys_GetObject(name);  // borrowed
  if (list == nullptr || PyList_Check(list) == 0) return texts;
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i)
    texts.push_back(text_of(PyList_GetItem(list, i)));
  return texts;
}

// The folder Python will put first on its search path once the program begins.
std::string folder_of_program(const std::vector<std::string>& command) {
  std::error_code error;
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == "-m" || word == "-c") break;
    if (word == "-X" || word == "-W") {
      ++i;
    } else if (word.empty() || word[0] != '-') {
      const Path script = std::filesystem::canonical(word, error);
      if (error) return {};
      return std::filesystem::is_directory(script, error) ? script.string()
                                                          : script.parent_path().string();
    }
  }
  return std::filesystem::current_path(error).string();
}

}  // namespace

ProgramFacts read_program_facts(const AgentOptions& options) {
  ProgramFacts facts;
  const auto version = static_cast<std::uint32_t>(Py_Version);
  facts.python_version =
      fmt::format("{}.{}.{}", version >> 24U, (version >> 16U) & 0xffU, (version >> 8U) & 0xffU);
  facts.python_executable = text_of(PySys_GetObject("executable"));
  facts.search_path = list_of_texts("path");
  facts.search_path.push_back(folder_of_program(list_of_texts("orig_argv")));
  facts.launch = read_launch_facts();
  if (!options.ranks.empty()) facts.launch.emplace_back("ranks", options.ranks);
  return facts;
}

void ProgramFacts::write(Recorder& recorder) const {
  recorder.attribute("python.version", python_version);
  recorder.attribute("python.executable", python_executable);
  for (const std::string& entry : search_path) {
    if (!entry.empty()) recorder.attribute("sys.path", entry);
  }
  for (const auto& [name, value] : launch) recorder.attribute(name, value);
}

RecordingHeader make_header(const AgentOptions& options) {
  RecordingHeader header;
  header.pid = static_cast<std::uint32_t>(getpid());
  header.parent_pid = static_cast<std::uint32_t>(getppid());
  if (const auto start = process_start(getpid())) {
    const auto ticks_per_second = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    header.process_start = start->ticks_since_boot * (1'000'000'000 / ticks_per_second);
  }
  header.monotonic = monotonic_now();
  header.realtime = read_clock(CLOCK_REALTIME);
  if (const auto rank = detect_rank(own_environment)) {
    header.rank = rank->rank;
    header.world_size = rank->size;
  }
  header.host = host_name();
  header.launch = options.launch;
  return header;
}

}  // namespace pyrometer
