#include "cli/graph_names.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "record/run_name.h"

namespace pyrometer {
namespace {

std::string rank_text(const GraphNameParts& parts) {
  return parts.rank ? std::to_string(*parts.rank) : "none";
}

// "graph.svg" becomes "graph-%r.svg", or "graph-%f.svg" where there are no ranks.
std::string with_place(std::string_view name, bool has_ranks) {
  const Path path(name);
  Path result = path.parent_path() / path.stem();
  result += has_ranks ? "-rank%r" : "-%f";
  result += path.extension();
  return result.string();
}

Result<std::string> fill_in(std::string_view pattern, const GraphNameParts& parts,
                            std::size_t number) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      name += pattern[i];
      continue;
    }
    const char letter = ++i < pattern.size() ? pattern[i] : '\0';
    switch (letter) {
      case 'r': name += rank_text(parts); break;
      case 'n': name += std::to_string(number); break;
      case 'f': name += as_file_name(parts.stem); break;
      case '%': name += '%'; break;
      default:
        return fail(ErrorCode::kUsage,
                    "'{}' in the name '{}' stands for nothing; there are %r rank, %n running "
                    "number, %f the input file's name and %% for a percent sign",
                    letter == '\0' ? "%" : std::string("%") + letter, pattern);
    }
  }
  return name;
}

bool has_twins(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() != names.size();
}

}  // namespace

Result<std::vector<std::string>> make_graph_names(std::string_view pattern,
                                                  const std::vector<GraphNameParts>& parts) {
  const bool has_ranks =
      std::any_of(parts.begin(), parts.end(), [](const GraphNameParts& part) { return part.rank; });
  const bool is_plain = pattern.find('%') == std::string_view::npos;
  const std::string full = is_plain ? with_place(pattern, has_ranks) : std::string(pattern);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    PYROMETER_TRY(std::string name, fill_in(full, parts[i], i + 1));
    names.push_back(std::move(name));
  }
  if (!has_twins(names)) return names;
  if (is_plain) {  // files of the same name in several folders
    const Path path(pattern);
    const Path numbered = path.parent_path() / (path.stem().string() + "-%n-%f");
    return make_graph_names(numbered.string() + path.extension().string(), parts);
  }
  return fail(ErrorCode::kUsage,
              "several files would be called '{}'{}; put %n, a running number, into the name",
              names.front(), has_ranks ? "" : ", as these profiles have no ranks");
}

}  // namespace pyrometer
