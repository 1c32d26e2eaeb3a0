#include "load/line_text.h"

#include <fmt/format.h>

#include "profile/builder.h"
#include "profile/module_path.h"

namespace pyrometer {
namespace {

// Sources are kept as whole files, with empty lines where no table shows any: a table of a few
// bytes could claim to be line two billion.
constexpr std::uint32_t kMostSourceLines = 1U << 20;
constexpr std::size_t kMostSourceBytes = std::size_t{64} << 20;

class SourceTexts {
 public:
  void add(const std::string& file, const SourceRows& rows, std::uint32_t last_line) {
    auto& lines = files_[file];
    for (const auto& [line, text] : rows) {
      if (line >= 1 && line <= kMostSourceLines) lines.insert_or_assign(line, text);
    }
    // What follows is not known, but no part of the function, whatever indentation comes next.
    if (last_line < kMostSourceLines) lines.try_emplace(last_line + 1, "...");
  }

  void write(ProfileBuilder& builder) const {
    std::size_t left = kMostSourceBytes;
    for (const auto& [file, lines] : files_) {
      if (lines.empty()) continue;
      std::size_t size = lines.rbegin()->first;
      for (const auto& [line, text] : lines) size += text.size();
      if (size > left) continue;
      left -= size;
      std::string content;
      content.reserve(size);
      std::uint32_t next = 1;
      for (const auto& [line, text] : lines) {
        content.append(line - next, '\n').append(text) += '\n';
        next = line + 1;
      }
      builder.profile().sources.try_emplace(builder.string(file),
                                            SourceText{false, std::move(content)});
    }
  }

 private:
  std::map<std::string, std::map<std::uint32_t, std::string_view>> files_;
};

ThreadId add_only_thread(ProfileBuilder& builder) {
  const ProcessId process = builder.add_process({});
  return builder.add_thread({.process = process, .name = builder.string("main")});
}

template <class TextFunction>
FunctionId add_function(ProfileBuilder& builder, const TextFunction& function) {
  const std::string name =
      function.name.empty() ? fmt::format("(line {})", function.first_line) : function.name;
  const std::size_t dot = name.rfind('.');
  return builder.function(
      {.kind = FunctionKind::kPython,
       .name = dot == std::string::npos ? name : std::string_view(name).substr(dot + 1),
       .qualified_name = name,
       .file = function.file,
       .short_file = module_relative(function.file, {}),
       .first_line = function.first_line});
}

}  // namespace

Profile load_line_profiler_text(const std::vector<LineTextFunction>& functions) {
  ProfileBuilder builder;
  const ThreadId thread = add_only_thread(builder);
  const MetricId hits = builder.metric({std::string(metric::kHits), Unit::kCount});
  const MetricId time = builder.metric({std::string(metric::kLineTime), Unit::kNanoseconds});
  SourceTexts sources;
  for (const LineTextFunction& function : functions) {
    const FunctionId id = add_function(builder, function);
    sources.add(function.file, function.source, function.last_line);
    for (const LineTextRow& row : function.rows) {
      builder.add_line({thread, hits, id, row.line, row.hits});
      builder.add_line({thread, time, id, row.line, row.time});
    }
  }
  sources.write(builder);
  return builder.finish();
}

Profile load_memory_profiler_text(const std::vector<MemoryTextFunction>& functions) {
  ProfileBuilder builder;
  const ThreadId thread = add_only_thread(builder);
  const MetricId hits = builder.metric({std::string(metric::kHits), Unit::kCount});
  const MetricId level =
      builder.metric({std::string(metric::kMemory), Unit::kBytes, Combine::kMax});
  const MetricId increment = builder.metric({std::string(metric::kIncrement), Unit::kBytes});
  SourceTexts sources;
  for (const MemoryTextFunction& function : functions) {
    const FunctionId id = add_function(builder, function);
    sources.add(function.file, function.source, function.last_line);
    for (const MemoryTextRow& row : function.rows) {
      if (row.hits != 0) builder.add_line({thread, hits, id, row.line, row.hits});
      builder.add_line({thread, level, id, row.line, row.level});
      builder.add_line({thread, increment, id, row.line, row.increment});
    }
  }
  sources.write(builder);
  return builder.finish();
}

Result<Profile> load_line_text(std::string_view text) {
  if (!has_line_profiler_table(text) && has_memory_profiler_table(text)) {
    PYROMETER_TRY(const auto functions, read_memory_profiler_text(text));
    return load_memory_profiler_text(functions);
  }
  PYROMETER_TRY(const auto functions, read_line_profiler_text(text));
  return load_line_profiler_text(functions);
}

bool has_line_tables(std::string_view text) {
  return has_line_profiler_table(text) || has_memory_profiler_table(text);
}

}  // namespace pyrometer
