#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "formats/collapsed_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pyrometer {
namespace {

constexpr std::size_t kMostFrames = std::size_t{1} << 20;
constexpr std::size_t kMostFrameText = std::size_t{256} << 20;
constexpr std::size_t kMostNodes = std::size_t{1} << 24;
constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr std::size_t kMostMetadata = 64;
constexpr std::size_t kLongestMetadata = 4096;

// How many bytes both texts begin with, eight at a time.
std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t i = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; i + 8 <= size; i += 8) {
      std::uint64_t x = 0;
      std::uint64_t y = 0;
      std::memcpy(&x, a.data() + i, 8);
      std::memcpy(&y, b.data() + i, 8);
      if (x != y) return i + static_cast<std::size_t>(std::countr_zero(x ^ y)) / 8;
    }
  }
  while (i < size && a[i] == b[i]) ++i;
  return i;
}

// One line taken apart: "stack value" or "stack time,idle,memory".
struct StackLine {
  std::string_view stack;
  std::int64_t value = 0;
  bool is_full = false;
  bool is_idle = false;
  std::int64_t memory = 0;
};

// Beyond any program; keeps hostile numbers inside 64 bits even when some are added up.
constexpr std::int64_t kMost = 100'000'000'000'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::clamp(value, -kMost, kMost);
}

std::optional<StackLine> parse_line(std::string_view line) {
  const std::size_t space = line.find_last_of(" \t");
  if (space == std::string_view::npos) return std::nullopt;
  StackLine parsed{.stack = line.substr(0, space)};
  std::string_view number = line.substr(space + 1);
  if (const std::size_t comma = number.find(','); comma != std::string_view::npos) {
    const std::size_t second = number.find(',', comma + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const auto idle = whole_number(number.substr(comma + 1, second - comma - 1));
    const auto memory = whole_number(number.substr(second + 1));
    if (!idle || !memory) return std::nullopt;
    parsed.is_full = true;
    parsed.is_idle = *idle != 0;
    parsed.memory = *memory;
    number = number.substr(0, comma);
  }
  const auto value = whole_number(number);
  if (!value) return std::nullopt;
  parsed.value = *value;
  while (!parsed.stack.empty() && parsed.stack.back() == ' ') parsed.stack.remove_suffix(1);
  return parsed;
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void add_values(CollapsedFile::Values& sum, const StackLine& line) {
  ++sum.lines;
  sum.value += line.value;
  if (line.value < 0) sum.negative -= line.value;
  if (!line.is_full) return;
  if (!line.is_idle) sum.busy += line.value;
  (line.memory < 0 ? sum.freed : sum.allocated) += line.memory < 0 ? -line.memory : line.memory;
}

}  // namespace

std::string_view CollapsedFile::metadata_of(std::string_view key) const {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == metadata.end() ? std::string_view() : found->second;
}

std::size_t CollapsedReader::HashText::operator()(std::string_view text) const noexcept {
  return XXH3_64bits(text.data(), text.size());
}

std::uint32_t CollapsedReader::frame_of(std::string_view text) {
  if (const auto found = frames_.find(text); found != frames_.end()) return found->second;
  const auto row = static_cast<std::uint32_t>(file_.frames.size());
  frames_.emplace(file_.frames.emplace_back(text), row);  // a deque never moves its elements
  frame_text_ += text.size();
  return row;
}

std::uint32_t CollapsedReader::child_of(std::uint32_t parent, std::uint32_t frame) {
  // Most calls go where the last one went: no need to look it up, which is slow in a large tree.
  const std::uint32_t last =
      parent == CollapsedFile::kNone ? last_root_ : file_.nodes[parent].last_child;
  if (last != CollapsedFile::kNone && file_.nodes[last].frame == frame) return last;
  const std::uint64_t key = (std::uint64_t{parent} << 32) | frame;
  const auto row = static_cast<std::uint32_t>(file_.nodes.size());
  const auto [found, is_new] = children_.try_emplace(key, row);
  if (is_new) file_.nodes.push_back({.parent = parent, .frame = frame});
  (parent == CollapsedFile::kNone ? last_root_ : file_.nodes[parent].last_child) = found->second;
  return found->second;
}

// Makes path_ the nodes of `stack`. Neighbouring lines usually begin alike, so what they share is
// kept.
void CollapsedReader::walk_to(std::string_view stack) {
  const std::size_t same = common_prefix(previous_, stack);
  const auto is_shared = [&](std::size_t end) {
    return end <= same && (end == stack.size() || stack[end] == ';');
  };
  while (!path_.empty() && !is_shared(path_.back().end)) path_.pop_back();
  std::uint32_t node = path_.empty() ? CollapsedFile::kNone : path_.back().node;
  std::size_t begin = path_.empty() ? 0 : path_.back().end + 1;
  while (begin <= stack.size()) {
    const std::size_t end = std::min(stack.find(';', begin), stack.size());
    node = child_of(node, frame_of(stack.substr(begin, end - begin)));
    path_.push_back({end, node});
    begin = end + 1;
  }
  previous_.resize(same);
  previous_ += stack.substr(same);
}

void CollapsedReader::add_metadata(std::string_view line) {
  line.remove_prefix(1);
  const std::size_t colon = line.find(':');
  const bool is_entry = colon != std::string_view::npos && line.size() <= kLongestMetadata;
  if (!is_entry || file_.metadata.size() == kMostMetadata) return;
  const auto trimmed = [](std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return std::string(text);
  };
  file_.metadata.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

Result<void> CollapsedReader::check_limits() const {
  const bool has_room = file_.frames.size() <= kMostFrames && frame_text_ <= kMostFrameText &&
                        file_.nodes.size() <= kMostNodes;
  if (has_room) return {};
  return fail(ErrorCode::kTooLarge,
              "its first {} lines have more distinct frames (1 million, 256 MiB) or call paths (16 "
              "million) than are read",
              file_.lines);
}

Result<void> CollapsedReader::add_line(std::string_view line) {
  ++file_.lines;
  line = without_line_end(line);
  if (line.empty()) return {};
  if (line.front() == '#') {
    add_metadata(line);
    return {};
  }
  const auto parsed = parse_line(line);
  if (!parsed) {
    if (file_.skipped_lines++ == 0) file_.first_skipped_line = file_.lines;
    return {};
  }
  walk_to(parsed->stack);
  CollapsedFile::Node& node = file_.nodes[path_.back().node];
  if (node.values == CollapsedFile::kNone) {
    node.values = static_cast<std::uint32_t>(file_.values.size());
    file_.values.emplace_back();
  }
  add_values(file_.values[node.values], *parsed);
  file_.has_full_metrics |= parsed->is_full;
  return check_limits();
}

Result<void> CollapsedReader::add(std::string_view piece) {
  while (true) {
    const std::size_t end = piece.find('\n');
    const std::string_view line = piece.substr(0, end);
    if (cut_line_.size() + line.size() > kLongestLine) {
      return fail(ErrorCode::kTooLarge, "its line {} is longer than the {} bytes that are read",
                  file_.lines + 1, kLongestLine);
    }
    if (end == std::string_view::npos) {
      cut_line_ += line;
      return {};
    }
    if (cut_line_.empty()) {
      PYROMETER_TRY_VOID(add_line(line));
    } else {
      cut_line_ += line;
      PYROMETER_TRY_VOID(add_line(cut_line_));
      cut_line_.clear();
    }
    piece.remove_prefix(end + 1);
  }
}

Result<CollapsedFile> CollapsedReader::finish() {
  if (!cut_line_.empty()) PYROMETER_TRY_VOID(add_line(cut_line_));
  if (file_.values.empty()) {
    return fail(ErrorCode::kCorrupt,
                "none of its {} lines is a stack and a number (\"main;solve 12\")", file_.lines);
  }
  return std::move(file_);
}

bool looks_like_collapsed(std::string_view prefix) {
  const auto is_text = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  };
  if (!std::all_of(prefix.begin(), prefix.end(), is_text)) return false;
  const std::size_t last_end = prefix.rfind('\n');
  if (last_end == std::string_view::npos) {
    // One line: whole, or longer than the prefix as very deep stacks are.
    return parse_line(prefix) || (prefix.size() >= 4096 && prefix.find(';') < prefix.size());
  }
  bool has_stack = false;
  bool has_metadata = false;
  for (std::size_t begin = 0; begin <= last_end;) {
    const std::size_t end = prefix.find('\n', begin);
    const std::string_view line = without_line_end(prefix.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty()) continue;
    if (line.front() == '#') {
      has_metadata |= line.starts_with("# austin:");
      continue;
    }
    if (!parse_line(line)) return false;
    has_stack = true;
  }
  // A first stack may be longer than the prefix.
  return has_stack || has_metadata || (prefix.size() >= 4096 && prefix.find(';') < prefix.size());
}

}  // namespace pyrometer
