#include "analyze/sort_order.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace pyrometer {
namespace {

struct SortWord {
  std::string_view word;
  std::string_view title;
  std::array<SortKey, 3> keys;
  std::size_t key_count = 1;
};

// In the order of pstats, on which its rule for prefixes depends.
constexpr SortWord kPstatsWords[] = {
    {"calls", "call count", {SortKey::kCalls}},
    {"ncalls", "call count", {SortKey::kCalls}},
    {"cumtime", "cumulative time", {SortKey::kTotal}},
    {"cumulative", "cumulative time", {SortKey::kTotal}},
    {"filename", "file name", {SortKey::kFile}},
    {"line", "line number", {SortKey::kLine}},
    {"module", "file name", {SortKey::kFile}},
    {"name", "function name", {SortKey::kName}},
    {"nfl", "name/file/line", {SortKey::kName, SortKey::kFile, SortKey::kLine}, 3},
    {"pcalls", "primitive call count", {SortKey::kPrimitiveCalls}},
    {"stdname", "standard name", {SortKey::kStandardName}},
    {"time", "internal time", {SortKey::kSelf}},
    {"tottime", "internal time", {SortKey::kSelf}},
};

// Of pstats for sampled files, and our own: never cut.
constexpr SortWord kWholeWords[] = {
    {"samples", "sample count", {SortKey::kStackSamples}},
    {"nsamples", "sample count", {SortKey::kStackSamples}},
    {"psamples", "primitive call count", {SortKey::kSamples}},
    {"self", "internal time", {SortKey::kSelf}},
    {"total", "cumulative time", {SortKey::kTotal}},
    {"primitive-calls", "primitive call count", {SortKey::kPrimitiveCalls}},
    {"per-call", "time per call", {SortKey::kPerCall}},
    {"file", "file name", {SortKey::kFile}},
};

// The old profiler's numbers, from -1 on.
constexpr std::string_view kNumbers[] = {"-1", "0", "1", "2"};
constexpr std::string_view kWordsOfNumbers[] = {"stdname", "calls", "time", "cumulative"};

// What pstats takes a prefix for. Each word in turn claims its prefixes, longest first, up to
// one that is taken already, which then belongs to nobody.
std::map<std::string_view, const SortWord*> prefixes() {
  std::map<std::string_view, const SortWord*> owners;
  std::set<std::string_view> contested;
  for (const SortWord& word : kPstatsWords) {
    for (std::size_t size = word.word.size(); size > 0; --size) {
      const std::string_view prefix = word.word.substr(0, size);
      if (owners.try_emplace(prefix, &word).second) continue;
      contested.insert(prefix);
      break;
    }
  }
  for (const std::string_view prefix : contested) owners.erase(prefix);
  return owners;
}

Result<const SortWord*> find_word(std::string_view text) {
  const auto* const number = std::find(std::begin(kNumbers), std::end(kNumbers), text);
  if (number != std::end(kNumbers)) text = kWordsOfNumbers[number - std::begin(kNumbers)];
  for (const SortWord& word : kWholeWords) {
    if (word.word == text) return &word;
  }
  const auto owners = prefixes();
  if (const auto found = owners.find(text); found != owners.end()) return found->second;
  std::string candidates;
  for (const SortWord& word : kPstatsWords) {
    if (text.empty() || !word.word.starts_with(text)) continue;
    candidates += (candidates.empty() ? "" : ", ") + std::string(word.word);
  }
  if (!candidates.empty()) {
    return fail(ErrorCode::kUsage, "the order '{}' could be any of {}; write it in full", text,
                candidates);
  }
  return fail(ErrorCode::kUsage, "there is no order '{}'; choose from {}", text,
              fmt::join(sort_words(), ", "));
}

}  // namespace

Result<SortOrder> parse_sort_order(std::span<const std::string> arguments) {
  SortOrder order;
  for (const std::string_view argument : arguments) {
    for (std::size_t begin = 0; begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      PYROMETER_TRY(const SortWord* word, find_word(argument.substr(begin, end - begin)));
      for (std::size_t i = 0; i < word->key_count; ++i) order.keys.push_back(word->keys[i]);
      order.title += (order.title.empty() ? "" : ", ") + std::string(word->title);
      begin = end + 1;
    }
  }
  return order;
}

std::vector<std::string_view> sort_words() {
  std::vector<std::string_view> words;
  for (const SortWord& word : kWholeWords) words.push_back(word.word);
  for (const SortWord& word : kPstatsWords) words.push_back(word.word);
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace pyrometer
