// Everything that has a row: files, functions, call-tree positions, threads, processes.
#include <boost/unordered/unordered_flat_map.hpp>

#include "analyze/module_name.h"
#include "analyze/names.h"
#include "analyze/origin.h"
#include "analyze/time_tracks.h"
#include "serve/answers.h"
#include "serve/columns.h"

namespace pyrometer {
namespace {

constexpr double kSecond = 1e9;

// Texts that tables refer to, each once.
class TextColumn {
 public:
  std::uint32_t number(std::string_view text) { return table_.intern(text).row(); }

  void write(ColumnsWriter& out) const {
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      texts.push_back(table_[StringId::from_index(i)]);
    }
    out.add_texts("text", texts);
  }

 private:
  StringTable table_;
};

// One column after the other; vectors are spans of what they hold.
template <class Value>
void add(ColumnsWriter& out, std::string_view name, const std::vector<Value>& values) {
  out.add(name, std::span<const Value>(values));
}

void add_files(ColumnsWriter& out, const ViewedProfile& viewed, TextColumn& texts) {
  const Profile& profile = viewed.summary();
  std::vector<std::uint32_t> names, paths;
  for (const StringId name : viewed.files().names) {
    names.push_back(texts.number(profile.text(name)));
  }
  for (const StringId path : viewed.files().paths) {
    paths.push_back(texts.number(profile.text(path)));
  }
  add(out, "file.name", names);
  add(out, "file.path", paths);
}

void add_functions(ColumnsWriter& out, const ViewedProfile& viewed, TextColumn& texts) {
  const Profile& profile = viewed.summary();
  const Origins origins(profile);
  std::vector<std::uint32_t> names, lines, modules;
  std::vector<std::uint8_t> kinds, function_origins;
  for (std::size_t i = 0; i < profile.functions.size(); ++i) {
    const Function& function = profile.functions[i];
    names.push_back(texts.number(display_name(profile, function)));
    lines.push_back(function.first_line);
    kinds.push_back(static_cast<std::uint8_t>(function.kind));
    function_origins.push_back(static_cast<std::uint8_t>(origins.of(FunctionId::from_index(i))));
    modules.push_back(texts.number(module_name(profile, function)));
  }
  add(out, "function.name", names);
  add(out, "function.file", viewed.files().of_function);
  add(out, "function.line", lines);
  add(out, "function.kind", kinds);
  add(out, "function.origin", function_origins);
  add(out, "function.module", modules);
}

void add_nodes(ColumnsWriter& out, const ViewedProfile& viewed) {
  const Profile& profile = viewed.summary();
  const NodeOrder& order = viewed.order();
  std::vector<std::uint32_t> up, functions, lines;
  up.reserve(order.nodes.size());
  functions.reserve(order.nodes.size());
  lines.reserve(order.nodes.size());
  for (std::size_t row = 0; row < order.nodes.size(); ++row) {
    const Node& node = profile.nodes[order.nodes[row].row()];
    const bool is_root = node.parent.is_none();
    up.push_back(is_root ? 0 : static_cast<std::uint32_t>(row) - order.rows[node.parent.row()]);
    functions.push_back(node.function.row());
    lines.push_back(node.line);
  }
  add(out, "node.up", up);
  add(out, "node.function", functions);
  add(out, "node.line", lines);
}

void add_threads(ColumnsWriter& out, const Profile& profile, const ProfileClock& clock,
                 TextColumn& texts) {
  std::vector<std::uint32_t> processes, names;
  std::vector<std::uint8_t> classes;
  std::vector<double> starts, ends;
  for (const Thread& thread : profile.threads) {
    const Process& process = profile.processes[thread.process.row()];
    const std::int64_t offset = clock.offset(thread.process);
    const std::int64_t begin = clock.start(profile, thread.process);
    processes.push_back(thread.process.row());
    names.push_back(texts.number(thread.name.is_none() ? "" : profile.text(thread.name)));
    classes.push_back(static_cast<std::uint8_t>(thread.thread_class));
    const std::int64_t start = thread.start == 0 ? begin : thread.start + offset;
    const std::int64_t end = thread.end == 0 ? begin + process.duration : thread.end + offset;
    starts.push_back(static_cast<double>(start) / kSecond);
    ends.push_back(static_cast<double>(std::max(start, end)) / kSecond);
  }
  add(out, "thread.process", processes);
  add(out, "thread.name", names);
  add(out, "thread.class", classes);
  add(out, "thread.start", starts);
  add(out, "thread.end", ends);
}

void add_processes(ColumnsWriter& out, const Profile& profile, const ProfileClock& clock,
                   TextColumn& texts) {
  std::vector<std::int32_t> ranks;
  std::vector<std::uint32_t> hosts;
  std::vector<double> pids, starts, durations;
  std::vector<std::uint8_t> statuses;
  for (std::size_t i = 0; i < profile.processes.size(); ++i) {
    const Process& process = profile.processes[i];
    ranks.push_back(static_cast<std::int32_t>(process.rank));
    hosts.push_back(texts.number(process.host));
    pids.push_back(static_cast<double>(process.pid));
    starts.push_back(static_cast<double>(clock.start(profile, ProcessId::from_index(i))) / kSecond);
    durations.push_back(static_cast<double>(process.duration) / kSecond);
    statuses.push_back(static_cast<std::uint8_t>(process.status));
  }
  add(out, "process.rank", ranks);
  add(out, "process.host", hosts);
  add(out, "process.pid", pids);
  add(out, "process.start", starts);
  add(out, "process.duration", durations);
  add(out, "process.status", statuses);
}

}  // namespace

Result<Answer> answer_tables(const ViewedProfile& viewed, const Request& request) {
  const Profile& profile = viewed.summary();
  const ProfileClock clock(profile);
  ColumnsWriter out(request.is_packed);
  TextColumn texts;
  add_files(out, viewed, texts);
  add_functions(out, viewed, texts);
  add_nodes(out, viewed);
  add_threads(out, profile, clock, texts);
  add_processes(out, profile, clock, texts);
  texts.write(out);
  return Answer{out.take(), kBinaryType};
}

}  // namespace pyrometer
