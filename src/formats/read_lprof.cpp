#include <cmath>
#include <limits>
#include <map>

#include "formats/lprof_file.h"
#include "formats/pickle_codes.h"
#include "formats/pickle_reader.h"

namespace pyrometer {
namespace {

// 5.0.1 and later; up to 5.0.0; and before there was a package.
constexpr std::string_view kModules[] = {
    "line_profiler.line_profiler",
    "line_profiler._line_profiler",
    "_line_profiler",
};
constexpr PickleClass kLineStats{kModules, "LineStats", "line_profiler's own statistics"};

// Back references let a file name the same lines or the same long text again and again for two
// bytes. Without them a line takes more than a byte, so this many are enough for every honest
// file; a path of 4,096 bytes in each entry stays below the other.
std::size_t most_lines(std::size_t file_size) { return file_size; }
std::size_t most_text(std::size_t file_size) { return (std::size_t{16} << 20) + 32 * file_size; }

class LprofDecoder {
 public:
  LprofDecoder(const PickleDocument& document, std::size_t file_size)
      : document_(document), lines_left_(most_lines(file_size)), text_left_(most_text(file_size)) {}

  Result<LprofFile> decode() {
    PYROMETER_TRY_VOID(find_state());
    if (timings_.is_none() || unit_.is_none()) {
      return fail(ErrorCode::kCorrupt, "the statistics have no timings or no unit");
    }
    PYROMETER_TRY_VOID(read_unit());
    if (document_.kind(timings_) != PickleKind::kDict) return malformed(timings_, "a dict");
    const auto entries = document_.elements(timings_);
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      PYROMETER_TRY_VOID(read_function(entries[i], entries[i + 1]));
    }
    return std::move(file_);
  }

 private:
  tl::unexpected<Error> malformed(PickleId value, std::string_view wanted) const {
    return fail(ErrorCode::kCorrupt, "byte {}: the value is not {}", document_.offset(value),
                wanted);
  }

  // LineStats(timings, unit), or an empty one that a state is given to: {'timings':, 'unit':}
  Result<void> find_state() {
    const PickleId root = document_.root();
    if (document_.kind(root) != PickleKind::kObject) {
      return fail(ErrorCode::kUnsupported,
                  "the pickle holds something else than line_profiler's statistics");
    }
    const auto parts = document_.elements(root);
    const auto arguments = document_.elements(parts[0]);
    if (arguments.size() == 2) {
      timings_ = arguments[0];
      unit_ = arguments[1];
    } else if (!arguments.empty()) {
      return malformed(parts[0], "what line_profiler's statistics are made of");
    }
    for (const PickleId state : parts.subspan(1)) {
      if (document_.kind(state) != PickleKind::kDict) return malformed(state, "a dict");
      const auto members = document_.elements(state);
      for (std::size_t i = 0; i < members.size(); i += 2) {
        if (document_.kind(members[i]) != PickleKind::kText) return malformed(members[i], "a name");
        if (document_.text(members[i]) == "timings") timings_ = members[i + 1];
        if (document_.text(members[i]) == "unit") unit_ = members[i + 1];
      }
    }
    return {};
  }

  Result<void> read_unit() {
    const PickleKind kind = document_.kind(unit_);
    if (kind == PickleKind::kReal) file_.unit = document_.real(unit_);
    if (kind == PickleKind::kInteger) file_.unit = static_cast<double>(document_.integer(unit_));
    const bool is_number = kind == PickleKind::kReal || kind == PickleKind::kInteger;
    const bool is_sound = std::isnormal(file_.unit) && file_.unit > 0 && file_.unit <= 1e9;
    return is_number && is_sound ? Result<void>() : malformed(unit_, "a unit of time");
  }

  bool is_tuple_of_three(PickleId id) const {
    return document_.kind(id) == PickleKind::kTuple && document_.elements(id).size() == 3;
  }
  bool is_line_number(PickleId id) const {
    return document_.kind(id) == PickleKind::kInteger && document_.integer(id) >= 0 &&
           document_.integer(id) <= std::numeric_limits<std::int32_t>::max();
  }

  Result<LprofFunction*> read_label(PickleId key) {
    constexpr std::string_view kWanted = "(file name, first line, function name)";
    if (!is_tuple_of_three(key)) return malformed(key, kWanted);
    const auto parts = document_.elements(key);
    if (document_.kind(parts[0]) != PickleKind::kText || !is_line_number(parts[1]) ||
        document_.kind(parts[2]) != PickleKind::kText) {
      return malformed(key, kWanted);
    }
    LprofFunction function{.file = std::string(document_.text(parts[0])),
                           .first_line = document_.integer(parts[1]),
                           .name = std::string(document_.text(parts[2]))};
    const std::size_t text = function.file.size() + function.name.size();
    if (text > text_left_) {
      return fail(ErrorCode::kTooLarge, "byte {}: the file repeats long names too often",
                  document_.offset(key));
    }
    text_left_ -= text;
    const auto [place, is_new] = places_.try_emplace(
        Label{function.file, function.first_line, function.name}, file_.functions.size());
    if (is_new) file_.functions.push_back(std::move(function));
    return &file_.functions[place->second];
  }

  Result<void> read_function(PickleId key, PickleId list) {
    PYROMETER_TRY(LprofFunction * function, read_label(key));
    if (document_.kind(list) != PickleKind::kList) return malformed(list, "a list of lines");
    const auto rows = document_.elements(list);
    if (rows.size() > lines_left_) {
      return fail(ErrorCode::kTooLarge, "byte {}: the file repeats its lines too often",
                  document_.offset(list));
    }
    lines_left_ -= rows.size();
    function->lines.clear();
    function->lines.reserve(rows.size());
    for (const PickleId row : rows) {
      constexpr std::string_view kWanted = "(line, hits, time)";
      if (!is_tuple_of_three(row)) return malformed(row, kWanted);
      const auto parts = document_.elements(row);
      if (!is_line_number(parts[0]) || document_.kind(parts[1]) != PickleKind::kInteger ||
          document_.kind(parts[2]) != PickleKind::kInteger) {
        return malformed(row, kWanted);
      }
      function->lines.push_back(
          {document_.integer(parts[0]), document_.integer(parts[1]), document_.integer(parts[2])});
    }
    return {};
  }

  using Label = std::tuple<std::string, std::int64_t, std::string>;

  const PickleDocument& document_;
  PickleId timings_ = PickleId::none();
  PickleId unit_ = PickleId::none();
  LprofFile file_;
  std::map<Label, std::size_t> places_;  // ordered: no choice of names makes it slow
  std::size_t lines_left_;
  std::size_t text_left_;
};

}  // namespace

Result<LprofFile> read_lprof(std::string_view bytes) {
  PYROMETER_TRY(const PickleDocument document, read_pickle(bytes, kLineStats));
  return LprofDecoder(document, bytes.size()).decode();
}

bool looks_like_lprof(std::string_view prefix) {
  return prefix.size() >= 2 && static_cast<PickleCode>(prefix[0]) == PickleCode::kProtocol &&
         prefix[1] >= 2 && prefix[1] <= 5;
}

}  // namespace pyrometer
