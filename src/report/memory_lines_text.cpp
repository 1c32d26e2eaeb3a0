#include "report/memory_lines_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/json_writer.h"
#include "base/printable.h"
#include "report/code_blocks.h"
#include "report/paint_python.h"

namespace pyrometer {
namespace {

constexpr std::string_view kHead = "Line #    Mem usage    Increment  Occurrences   Line Contents";
constexpr std::string_view kHeadWithInside =
    "Line #    Mem usage    Increment  Occurrences         Peak    Temporary   Line Contents";
constexpr double kMiB = 1048576;

std::string mebibytes(std::int64_t bytes) {
  return fmt::format("{:7.3f} MiB", static_cast<double>(bytes) / kMiB);
}

// Four columns of memory_profiler's, two more where memory was followed inside the line.
std::string row(std::uint32_t number, const MemoryLine* line, bool has_inside,
                std::string_view contents) {
  const auto cell = [&](std::int64_t MemoryLine::*bytes) {
    return line == nullptr ? "" : mebibytes(line->*bytes);
  };
  const bool has_hits = line != nullptr && line->hits != 0;
  const std::string inside = has_inside ? fmt::format(" {:>13} {:>12}", cell(&MemoryLine::peak),
                                                      cell(&MemoryLine::temporary))
                                        : "";
  return fmt::format("{:>6} {:>12} {:>12}  {:>10}{}   {}\n", number, cell(&MemoryLine::level),
                     cell(&MemoryLine::increment), has_hits ? fmt::format("{}", line->hits) : "",
                     inside, contents);
}

std::string line_at(const std::optional<std::vector<std::string>>& source, std::uint32_t number) {
  if (!source || number == 0 || number > source->size()) return {};
  return (*source)[number - 1];
}

// Of a comprehension or a lambda, whose end the indentation of its lines does not tell.
bool is_part_of_a_statement(const MemoryFunction& function) {
  return function.name.ends_with('>') && function.name != "<module>";
}

// The last line of the function that has figures or, where the source is known, belongs to it.
std::uint32_t last_line(const MemoryFunction& function,
                        const std::optional<std::vector<std::string>>& source) {
  std::uint32_t last = function.lines.empty() ? function.first_line : function.lines.back().line;
  const std::size_t first = std::max(function.first_line, 1U) - 1;
  if (source && first < source->size() && !is_part_of_a_statement(function)) {
    const std::size_t size = block_size(std::span(*source).subspan(first));
    last = std::max(last, static_cast<std::uint32_t>(first + size));
  }
  return last;
}

}  // namespace

std::string memory_lines_text(const std::vector<MemoryFunction>& functions,
                              const ReadSource& read_source) {
  std::string text;
  for (const MemoryFunction& function : functions) {
    const auto source = read_source(function.file);
    const std::string_view head = function.has_inside ? kHeadWithInside : kHead;
    text += fmt::format("Filename: {}\n\n{}\n{}\n", printable(function.file), head,
                        std::string(head.size(), '='));
    std::map<std::uint32_t, const MemoryLine*> lines;
    for (const MemoryLine& line : function.lines) lines.emplace(line.line, &line);
    if (source) {
      // Lines between those with figures only where there is a text to show.
      const std::uint32_t last =
          std::min(last_line(function, source), static_cast<std::uint32_t>(source->size()));
      for (std::uint32_t number = function.first_line; number <= last; ++number) {
        lines.try_emplace(number, nullptr);
      }
    }
    for (const auto& [number, line] : lines) {
      text += row(number, line, function.has_inside, printable_source(line_at(source, number)));
    }
    text += "\n\n";
  }
  return text;
}

void write_memory_lines(JsonWriter& json, const std::vector<MemoryFunction>& functions,
                        const ReadSource& read_source) {
  json.key("functions").begin_array();
  for (const MemoryFunction& function : functions) {
    const auto source = read_source(function.file);
    json.begin_object().member("file", function.file).member("first_line", function.first_line);
    json.member("name", function.name).key("lines").begin_array();
    for (const MemoryLine& line : function.lines) {
      json.begin_object().member("line", line.line).member("hits", line.hits);
      json.member("memory_bytes", line.level).member("increment_bytes", line.increment);
      if (function.has_inside) {
        json.member("peak_bytes", line.peak).member("temporary_bytes", line.temporary);
      }
      const std::string text = line_at(source, line.line);
      if (!text.empty()) json.member("source", text);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

std::string memory_lines_json(const std::vector<MemoryFunction>& functions,
                              const ReadSource& read_source) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("kind", "pyrometer-memory-lines");
  write_memory_lines(json, functions, read_source);
  json.end_object();
  return json.take();
}

}  // namespace pyrometer
