#include <algorithm>
#include <array>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <optional>

#include "formats/callgrind_file.h"

namespace pyrometer {
namespace {

constexpr std::size_t kMostEvents = 32;
constexpr std::size_t kMostCosts = std::size_t{1} << 26;  // numbers of eight bytes
constexpr std::size_t kMostPositions = 2;                 // instruction and line

std::string_view stripped(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The text up to the next space, which is taken off.
std::string_view take_word(std::string_view& text) {
  text = stripped(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> unsigned_number(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, is_hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

constexpr std::array<std::string_view, 11> kHeaderKeys = {
    "version", "creator", "pid",   "cmd",       "part",   "thread",
    "desc",    "events",  "event", "positions", "summary"};

// "key: value" of a header; the key is empty where a line is of the body.
std::pair<std::string_view, std::string_view> header_entry(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view key = line.substr(0, colon);
  const bool is_known = key == "totals" ||
                        std::find(kHeaderKeys.begin(), kHeaderKeys.end(), key) != kHeaderKeys.end();
  if (!is_known) return {};
  return {key, stripped(line.substr(colon + 1))};
}

class CallgrindParser {
 public:
  Result<CallgrindFile> parse(std::string_view bytes) {
    file_.texts.emplace_back();
    text_rows_.emplace("", 0);
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      ++line_number_;
      PYROMETER_TRY_VOID(parse_line(stripped(bytes.substr(0, end))));
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    }
    if (file_.events.empty()) return corrupt("it does not say what it counts (events:)");
    settle_callees();
    return std::move(file_);
  }

 private:
  using Costs = std::array<std::int64_t, kMostEvents>;
  using Names = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;  // "(3)" -> row of texts

  template <class... Args>
  tl::unexpected<Error> corrupt(fmt::format_string<Args...> format, Args&&... args) const {
    return fail(ErrorCode::kCorrupt, "line {}: {}", line_number_,
                fmt::format(format, std::forward<Args>(args)...));
  }

  Result<void> parse_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return {};
    const char first = line.front();
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*') {
      return parse_cost(line);
    }
    if (const auto [key, value] = header_entry(line); !key.empty()) return parse_header(key, value);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return corrupt("it is no line of a callgrind file");
    return parse_assignment(line.substr(0, equals), stripped(line.substr(equals + 1)));
  }

  Result<void> parse_header(std::string_view key, std::string_view value) {
    if (key == "creator") file_.creator = value;
    if (key == "cmd") file_.command = value;
    if (key == "pid") file_.pid = unsigned_number(value).value_or(0);
    if (key == "events") return parse_events(value);
    if (key == "event") parse_event_name(value);
    if (key == "positions") return parse_positions(value);
    if (key == "summary") return parse_summary(value);
    return {};
  }

  // A later part may count other things, or the same ones in another order.
  Result<void> parse_events(std::string_view words) {
    columns_.clear();
    for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
      PYROMETER_TRY(const std::uint32_t column, event_column(word));
      columns_.push_back(column);
    }
    return {};
  }

  Result<std::uint32_t> event_column(std::string_view name) {
    const auto found =
        std::find_if(file_.events.begin(), file_.events.end(),
                     [&](const CallgrindFile::Event& event) { return event.name == name; });
    if (found != file_.events.end()) {
      return static_cast<std::uint32_t>(found - file_.events.begin());
    }
    if (!file_.lines.empty() || !file_.calls.empty()) {
      return corrupt("the event {} is not counted in the parts before; load them one by one", name);
    }
    if (file_.events.size() == kMostEvents) {
      return corrupt("there are more than the {} events that are read", kMostEvents);
    }
    const auto named = std::find_if(long_names_.begin(), long_names_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    file_.events.push_back(
        {std::string(name), named == long_names_.end() ? std::string() : named->second});
    return static_cast<std::uint32_t>(file_.events.size() - 1);
  }

  // "event: ns : Nanoseconds", before the events themselves or, in valgrind's order, anywhere.
  void parse_event_name(std::string_view value) {
    const std::size_t colon = value.find(':');
    if (colon == std::string_view::npos) return;
    std::string_view name = stripped(value.substr(0, colon));
    name = name.substr(0, name.find_first_of(" ="));
    const std::string_view long_name = stripped(value.substr(colon + 1));
    for (CallgrindFile::Event& event : file_.events) {
      if (event.name == name) event.long_name = long_name;
    }
    if (long_names_.size() < kMostEvents) long_names_.emplace_back(name, long_name);
  }

  Result<void> parse_positions(std::string_view words) {
    positions_ = 0;
    line_position_ = kMostPositions;
    for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
      if (positions_ == kMostPositions) return corrupt("it has more than two positions");
      if (word == "line") line_position_ = positions_;
      ++positions_;
    }
    if (positions_ == 0) return corrupt("it names no positions");
    return {};
  }

  Result<void> parse_summary(std::string_view words) {
    PYROMETER_TRY(const Costs costs, parse_costs(words));
    file_.summary.resize(file_.events.size());
    for (std::size_t i = 0; i < file_.events.size(); ++i) file_.summary[i] += costs[i];
    return {};
  }

  Result<void> parse_assignment(std::string_view key, std::string_view value) {
    if (key == "calls") return parse_calls(value);
    // Jumps have no costs; the line after them is a position without any.
    if (key == "jump" || key == "jcnd") return {};
    if (key == "fn") {
      PYROMETER_TRY(name_, text_of(function_names_, value));
      function_ = function(object_, file_of_function_, name_);
      file_of_line_ = file_of_function_;
    } else if (key == "fl") {
      PYROMETER_TRY(file_of_function_, text_of(file_names_, value));
      file_of_line_ = file_of_function_;
    } else if (key == "fi" || key == "fe") {
      PYROMETER_TRY(file_of_line_, text_of(file_names_, value));
    } else if (key == "ob") {
      PYROMETER_TRY(object_, text_of(object_names_, value));
    } else if (key == "cfn") {
      PYROMETER_TRY(callee_name_, text_of(function_names_, value));
    } else if (key == "cfi" || key == "cfl") {
      PYROMETER_TRY(callee_file_, text_of(file_names_, value));
    } else if (key == "cob") {
      PYROMETER_TRY(callee_object_, text_of(object_names_, value));
    } else if (key == "jfi") {
      PYROMETER_TRY_VOID(
          text_of(file_names_, value));  // where a jump goes, but the name may be new
    } else if (key == "jfn") {
      PYROMETER_TRY_VOID(text_of(function_names_, value));
    } else if (key != "frfn") {
      return corrupt("it is no line of a callgrind file");
    }
    return {};
  }

  // "name", "(3) name", which is "(3)" from then on.
  Result<std::uint32_t> text_of(Names& names, std::string_view value) {
    if (!value.starts_with('(')) return text_row(value);
    const std::size_t close = value.find(')');
    const auto number = close == std::string_view::npos
                            ? std::nullopt
                            : unsigned_number(value.substr(1, close - 1));
    if (!number) return text_row(value);  // a name that begins with a bracket
    const std::string_view name = stripped(value.substr(close + 1));
    if (!name.empty()) {
      const std::uint32_t row = text_row(name);
      names.insert_or_assign(*number, row);
      return row;
    }
    if (const auto found = names.find(*number); found != names.end()) return found->second;
    return corrupt("the name ({}) was not said before", *number);
  }

  std::uint32_t text_row(std::string_view text) {
    if (const auto found = text_rows_.find(text); found != text_rows_.end()) return found->second;
    const auto row = static_cast<std::uint32_t>(file_.texts.size());
    file_.texts.emplace_back(text);
    text_rows_.emplace(text, row);
    return row;
  }

  std::uint32_t function(std::uint32_t object, std::uint32_t file, std::uint32_t name) {
    const auto row = static_cast<std::uint32_t>(file_.functions.size());
    const auto [found, is_new] = functions_.try_emplace(std::array{object, file, name}, row);
    if (is_new) {
      file_.functions.push_back({.name = name, .file = file, .object = object});
      is_defined_.push_back(false);
    }
    return found->second;
  }

  // yappi lists all names first, and names callees without their files. One that is described
  // nowhere is the function of that name, where there is but one.
  void settle_callees() {
    constexpr std::uint32_t kSeveral = kNoFunction;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> by_name;
    const auto count = static_cast<std::uint32_t>(file_.functions.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!is_defined_[i]) continue;
      const auto [found, is_new] = by_name.try_emplace(file_.functions[i].name, i);
      if (!is_new) found->second = kSeveral;
    }
    std::vector<std::uint32_t> rows(count);
    std::vector<CallgrindFile::Function> kept;
    const auto is_kept = [&](std::uint32_t i) {
      const auto named = by_name.find(file_.functions[i].name);
      return is_defined_[i] || named == by_name.end() || named->second == kSeveral;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      rows[i] = static_cast<std::uint32_t>(kept.size());
      if (is_kept(i)) kept.push_back(file_.functions[i]);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!is_kept(i)) rows[i] = rows[by_name.at(file_.functions[i].name)];
    }
    file_.functions = std::move(kept);
    for (CallgrindFile::LineCost& line : file_.lines) line.function = rows[line.function];
    for (CallgrindFile::Call& call : file_.calls) {
      call.caller = rows[call.caller];
      call.callee = rows[call.callee];
    }
  }

  Result<void> parse_calls(std::string_view words) {
    const auto calls = unsigned_number(take_word(words));
    if (!calls) return corrupt("the number of calls is no number");
    calls_ = static_cast<std::int64_t>(*calls);
    is_call_ = true;
    return {};
  }

  Result<Costs> parse_costs(std::string_view words) {
    Costs costs{};
    std::size_t i = 0;
    for (std::string_view word = take_word(words); !word.empty(); word = take_word(words), ++i) {
      const auto cost = unsigned_number(word);
      if (!cost) return corrupt("the cost '{}' is no number", word);
      if (i == columns_.size()) return corrupt("it has more costs than there are events");
      costs[columns_[i]] = static_cast<std::int64_t>(*cost);
    }
    return costs;
  }

  // Positions may be relative to those of the line before.
  Result<void> parse_position(std::string_view word, std::uint64_t& position) {
    if (word == "*") return {};
    const char sign = word.empty() ? ' ' : word.front();
    const bool is_relative = sign == '+' || sign == '-';
    const auto number = unsigned_number(word.substr(is_relative ? 1 : 0));
    if (!number) return corrupt("the position '{}' is no number", word);
    position = sign == '+' ? position + *number : sign == '-' ? position - *number : *number;
    return {};
  }

  Result<void> parse_cost(std::string_view words) {
    for (std::size_t i = 0; i < positions_; ++i) {
      PYROMETER_TRY_VOID(parse_position(take_word(words), position_[i]));
    }
    PYROMETER_TRY(const Costs costs, parse_costs(words));
    if (function_ == kNoFunction) return corrupt("it has costs before any function (fn=)");
    const std::uint64_t position = line_position_ < positions_ ? position_[line_position_] : 0;
    const auto line = position <= 0xffffffffU ? static_cast<std::uint32_t>(position) : 0;
    is_defined_[function_] = true;
    if (is_call_) return add_call(costs);
    return add_line(file_of_line_ == file_of_function_ ? line : 0, costs);
  }

  Result<void> add_line(std::uint32_t line, const Costs& costs) {
    CallgrindFile::Function& function = file_.functions[function_];
    if (function.first_line == 0 || (line != 0 && line < function.first_line)) {
      function.first_line = line;
    }
    const auto [found, is_new] = line_rows_.try_emplace(
        (std::uint64_t{function_} << 32) | line, static_cast<std::uint32_t>(file_.lines.size()));
    if (is_new) file_.lines.push_back({function_, line});
    return add_costs(file_.line_costs, found->second, costs);
  }

  Result<void> add_call(const Costs& costs) {
    is_call_ = false;
    const std::uint32_t callee = function(callee_object_.value_or(object_),
                                          callee_file_.value_or(file_of_function_), callee_name_);
    callee_object_.reset();
    callee_file_.reset();
    const auto [found, is_new] = call_rows_.try_emplace(
        (std::uint64_t{function_} << 32) | callee, static_cast<std::uint32_t>(file_.calls.size()));
    if (is_new) file_.calls.push_back({function_, callee});
    file_.calls[found->second].calls += calls_;
    return add_costs(file_.call_costs, found->second, costs);
  }

  Result<void> add_costs(std::vector<std::int64_t>& table, std::size_t row, const Costs& costs) {
    const std::size_t begin = row * file_.events.size();
    if (begin == table.size()) {
      if (file_.line_costs.size() + file_.call_costs.size() + file_.events.size() > kMostCosts) {
        return fail(ErrorCode::kTooLarge,
                    "line {}: there are more lines and calls with costs than are read",
                    line_number_);
      }
      table.resize(begin + file_.events.size());
    }
    for (std::size_t i = 0; i < file_.events.size(); ++i) table[begin + i] += costs[i];
    return {};
  }

  static constexpr std::uint32_t kNoFunction = 0xffffffffU;

  CallgrindFile file_;
  std::size_t line_number_ = 0;
  std::vector<std::uint32_t> columns_;  // of the part's costs in file_.events
  std::vector<std::pair<std::string, std::string>> long_names_;  // of events
  std::size_t positions_ = 1;
  std::size_t line_position_ = 0;
  std::array<std::uint64_t, kMostPositions> position_{};

  boost::unordered_flat_map<std::string_view, std::uint32_t> text_rows_;  // views of the input
  Names function_names_, file_names_, object_names_;
  boost::unordered_flat_map<std::array<std::uint32_t, 3>, std::uint32_t> functions_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> line_rows_, call_rows_;
  std::vector<bool> is_defined_;  // by function: has costs of its own

  // What the lines so far have set; texts are rows.
  std::uint32_t function_ = kNoFunction;
  std::uint32_t object_ = 0, file_of_function_ = 0, file_of_line_ = 0, name_ = 0;
  std::uint32_t callee_name_ = 0;
  std::optional<std::uint32_t> callee_file_, callee_object_;
  std::int64_t calls_ = 0;
  bool is_call_ = false;  // the next costs are those of a call
};

}  // namespace

Result<CallgrindFile> read_callgrind(std::string_view bytes) {
  return CallgrindParser().parse(bytes);
}

bool looks_like_callgrind(std::string_view prefix) {
  if (prefix.starts_with("# callgrind format")) return true;
  while (!prefix.empty()) {
    const std::size_t end = prefix.find('\n');
    const std::string_view line = stripped(prefix.substr(0, end));
    const std::string_view key = header_entry(line).first;
    if (key == "events") return true;
    if (!line.empty() && line.front() != '#' && key.empty()) return false;
    if (end == std::string_view::npos) return false;
    prefix.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace pyrometer
