#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "formats/table_text.h"
#include "formats/tau_metadata.h"
#include "formats/tau_profile.h"

namespace pyrometer {

// Lines with their numbers, for errors.
class NumberedLines {
 public:
  explicit NumberedLines(std::string_view text) : lines_(text) {}
  bool next(std::string_view& line) {
    ++number_;
    return lines_.next(line);
  }
  std::size_t number() const { return number_; }

 private:
  TextLines lines_;
  std::size_t number_ = 0;
};

namespace {

constexpr std::string_view kFunctions = "templated_functions";

// "12 words": the number when the words follow it.
std::optional<std::uint64_t> count_of(std::string_view line, std::string_view words) {
  std::uint64_t count = 0;
  const auto result = std::from_chars(line.data(), line.data() + line.size(), count);
  if (result.ec != std::errc{}) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(result.ptr - line.data()));
  if (!line.starts_with(' ') || !trimmed(line).starts_with(words)) return std::nullopt;
  return count;
}

// What the first line calls the metric, where the metadata do not.
std::string metric_of(std::string_view head) {
  constexpr std::string_view kMulti = "_MULTI_";
  if (const std::size_t at = head.find(kMulti); at != std::string_view::npos) {
    return std::string(trimmed(head.substr(at + kMulti.size())));
  }
  return head.find("hw_counters") == std::string_view::npos ? "TIME" : "Hardware Counter";
}

// "name" 1 2 3 4 0 GROUP="A | B": names may hold quotes, and even GROUP=, themselves.
struct NamedNumbers {
  std::string_view name;
  std::string groups;
  std::vector<double> numbers;
};

// The largest can be added up without becoming infinite.
constexpr double kMost = 1e290;

// TAU prints what it has: NAN where nothing was measured, and the largest double, as the least of
// no values, with so few digits that it is read as one beyond.
std::optional<double> parse_value(std::string_view word) {
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const bool is_small =
        word.find("e-") != std::string_view::npos || word.find("E-") != std::string_view::npos;
    value = is_small ? 0 : word.starts_with('-') ? -kMost : kMost;
  }
  return std::isnan(value) ? 0.0 : std::clamp(value, -kMost, kMost);
}

std::optional<NamedNumbers> parse_named(std::string_view line, std::size_t least_numbers) {
  NamedNumbers row;
  line = trimmed(line);
  if (!line.starts_with('"')) return std::nullopt;
  line.remove_prefix(1);
  // Groups hold no quotes, so theirs are the last two of the line.
  if (line.ends_with('"')) {
    line.remove_suffix(1);
    const std::size_t groups = line.rfind('"') + 1;
    for (const char character : line.substr(groups)) {
      if (character != ' ') row.groups += character;
    }
    constexpr std::string_view kMark = "GROUP=\"";
    line = line.substr(0, groups);
    if (!line.ends_with(kMark)) return std::nullopt;
    line.remove_suffix(kMark.size());
  }
  const std::size_t end = line.rfind('"');
  if (end == std::string_view::npos) return std::nullopt;
  row.name = trimmed(line.substr(0, end));
  line.remove_prefix(end + 1);
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const auto number = parse_value(word);
    if (!number) return std::nullopt;
    row.numbers.push_back(*number);
  }
  if (row.numbers.size() < least_numbers) return std::nullopt;
  return row;
}

// Negative values come from clocks that went back; ParaProf takes them for nothing, too.
double positive(double value) { return std::max(0.0, value); }

}  // namespace

TauThread& TauTextReader::thread(TauPlace place) {
  const auto [found, is_new] = threads_.try_emplace(place, profile_.threads.size());
  if (is_new) profile_.threads.push_back({.place = place});
  return profile_.threads[found->second];
}

std::uint32_t TauTextReader::function(std::string_view name, std::string_view groups) {
  if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
  const auto row = static_cast<std::uint32_t>(profile_.functions.size());
  functions_.emplace(name, row);
  profile_.functions.push_back({std::string(name), std::string(groups)});
  return row;
}

std::uint32_t TauTextReader::event(std::string_view name) {
  if (const auto found = events_.find(name); found != events_.end()) return found->second;
  const auto row = static_cast<std::uint32_t>(profile_.events.size());
  events_.emplace(name, row);
  profile_.events.emplace_back(name);
  return row;
}

std::size_t TauTextReader::metric(const std::string& name) {
  auto& metrics = profile_.metrics;
  const auto found = std::find(metrics.begin(), metrics.end(), name);
  if (found != metrics.end()) return static_cast<std::size_t>(found - metrics.begin());
  metrics.push_back(name);
  return metrics.size() - 1;
}

Result<void> TauTextReader::add(std::string_view text, TauPlace place) {
  NumberedLines lines(text);
  std::string_view line;
  const auto count = lines.next(line) ? count_of(line, kFunctions) : std::nullopt;
  if (!count) return fail(ErrorCode::kCorrupt, "line 1 is not the head of a TAU profile");
  std::string metric_name = metric_of(line);
  if (!lines.next(line) || !line.starts_with('#')) {
    return fail(ErrorCode::kCorrupt, "line 2 does not name the columns of a TAU profile");
  }
  TauMetadata metadata = parse_tau_metadata(line);
  std::erase_if(metadata, [&](const auto& attribute) {
    if (attribute.first != "Metric Name") return false;
    metric_name = attribute.second;
    return true;
  });

  std::vector<std::pair<TauRow, TauValue>> rows;
  for (std::uint64_t i = 0; i < *count; ++i) {
    if (!lines.next(line)) {
      return fail(ErrorCode::kCorrupt,
                  "it ends after {} of {} functions; the program was killed "
                  "while TAU wrote it, or the copy is not whole",
                  i, *count);
    }
    const auto row = parse_named(line, 4);
    if (!row) return fail(ErrorCode::kCorrupt, "line {} is no function of TAU", lines.number());
    rows.push_back(
        {{function(row->name, row->groups), positive(row->numbers[0]), positive(row->numbers[1])},
         {positive(row->numbers[2]), positive(row->numbers[3])}});
  }
  const std::size_t number = metric(metric_name);
  if (number >= kMostTauMetrics) {
    return fail(ErrorCode::kTooLarge, "there are more than {} metrics", kMostTauMetrics);
  }
  TauThread& to = thread(place);
  const bool is_first = to.values.empty();
  if (is_first) to.metadata = std::move(metadata);
  std::map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < to.rows.size(); ++i) places.emplace(to.rows[i].function, i);
  if (to.values.size() <= number) to.values.resize(number + 1);
  auto& values = to.values[number];
  for (const auto& [row, value] : rows) {
    const auto [found, is_new] = places.try_emplace(row.function, to.rows.size());
    if (is_new) to.rows.push_back({.function = row.function});
    if (values.size() < to.rows.size()) values.resize(to.rows.size());
    // Calls are the same for every metric.
    if (is_first) {
      to.rows[found->second].calls += row.calls;
      to.rows[found->second].subroutines += row.subroutines;
    }
    values[found->second].exclusive += value.exclusive;
    values[found->second].inclusive += value.inclusive;
  }
  return is_first ? add_events(lines, to) : Result<void>();
}

Result<void> TauTextReader::add_events(NumberedLines& lines, TauThread& to) {
  std::string_view line;
  if (!lines.next(line)) return {};
  const auto aggregates = count_of(line, "aggregates");
  for (std::uint64_t i = 0; i < aggregates.value_or(0); ++i) {
    if (!lines.next(line)) return {};
  }
  if (!lines.next(line)) return {};
  const auto count = count_of(line, "userevents");
  if (!count || !lines.next(line)) return {};
  for (std::uint64_t i = 0; i < *count && lines.next(line); ++i) {
    const auto row = parse_named(line, 5);
    if (!row) return fail(ErrorCode::kCorrupt, "line {} is no event of TAU", lines.number());
    to.events.push_back({event(row->name), row->numbers[0], row->numbers[1], row->numbers[2],
                         row->numbers[3], row->numbers[4]});
  }
  return {};
}

bool looks_like_tau_text(std::string_view prefix) {
  TextLines lines(prefix);
  std::string_view line;
  return lines.next(line) && count_of(line, kFunctions).has_value();
}

bool parse_tau_file_name(std::string_view name, TauPlace& place) {
  constexpr std::string_view kProfile = "profile";
  if (!name.starts_with(kProfile)) return false;
  name.remove_prefix(kProfile.size());
  for (std::int32_t* number : {&place.node, &place.context, &place.thread}) {
    if (!name.starts_with('.')) return false;
    name.remove_prefix(1);
    const std::size_t end = std::min(name.find('.'), name.size());
    const auto parsed = parse_line_number(name.substr(0, end));
    if (!parsed) return false;
    *number = static_cast<std::int32_t>(*parsed);
    name.remove_prefix(end);
  }
  return name.empty();
}

}  // namespace pyrometer
