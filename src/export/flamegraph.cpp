// A flame graph in one SVG file that needs nothing else: roots on top, a frame as wide as its
// share. Frames too narrow to be seen are left out, so the file stays under a megabyte.
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "analyze/names.h"
#include "analyze/view_tree.h"
#include "base/format_value.h"
#include "base/printable.h"
#include "export/exporter.h"
#include "export/flamegraph_parts.h"

namespace pyrometer {
namespace {

constexpr double kWidth = 1200;
constexpr double kMargin = 12;
constexpr double kRoom = kWidth - 2 * kMargin;
constexpr int kRowHeight = 18;
constexpr int kTop = 100;         // below title, notes, legend and detail
constexpr double kLetter = 6.62;  // of the frames' font
constexpr double kNarrowest = 0.3;
constexpr std::size_t kMostFrames = 2500;
constexpr std::uint32_t kMostLevels = 256;
constexpr std::size_t kLongestName = 160;
constexpr std::size_t kMostLegends = 6;

// Okabe and Ito's colours, which the colour-blind can tell apart, mixed with white in two ways so
// that black text can be read on them.
constexpr std::array<const char*, 14> kModuleColours = {
    "#f5c56a", "#9dd3f3", "#79cbb0", "#f6ec86", "#86b9de", "#f0a77c", "#e2b0cc",
    "#f9dca5", "#c5e4f8", "#abdfcd", "#faf4b8", "#b4d3ea", "#f6c9ae", "#eed0e0"};
constexpr const char* kBuiltinColour = "#ddd3c2";
constexpr const char* kNativeColour = "#c9ced6";
constexpr const char* kWaitingColour = "#eceef1";
constexpr const char* kRegionColour = "#f3dc9b";
constexpr const char* kWholeColour = "#dfe3e8";

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// Without zeros at the end.
std::string short_number(double number) {
  std::string text = fmt::format("{:.3f}", number);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// The same in every run and on every machine.
std::size_t stable_hash(std::string_view text) {
  std::uint32_t hash = 2'166'136'261U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
  return hash;
}

// Where code comes from, and the colour of its frames.
struct Origin {
  std::string name;
  const char* colour;
};

Origin origin_of(const Profile& profile, const Function& function) {
  const std::string place = printable(display_place(profile, function, 0));
  switch (function.kind) {
    case FunctionKind::kBuiltin: return {"built-in", kBuiltinColour};
    case FunctionKind::kLabel: return {"waiting", kWaitingColour};
    case FunctionKind::kNative: return {"native code", kNativeColour};
    case FunctionKind::kRegion: return {"region", kRegionColour};
    case FunctionKind::kPython: break;
  }
  // Python's own start and imports stay in the background.
  if (place.empty() || place.starts_with("<frozen ")) return {"built-in", kBuiltinColour};
  return {place, kModuleColours[stable_hash(place) % kModuleColours.size()]};
}

class FlameGraph {
 public:
  explicit FlameGraph(const Overview& overview)
      : overview_(overview),
        profile_(overview.profile),
        metric_(profile_.metrics[overview.metric.row()]),
        tree_(make_call_tree(profile_, overview.metric)) {
    for (const std::uint32_t root : tree_.roots) {
      whole_ += std::max<std::int64_t>(tree_.nodes[root].total, 0);
    }
  }

  std::string write() {
    draw_frames();
    const std::string legend = draw_legend();
    const int height = kTop + static_cast<int>(levels_) * kRowHeight + 12;
    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
        R"(data-width="{0}" data-margin="{2}">)"
        "\n<style>{3}</style>\n",
        kWidth, height, kMargin, flamegraph::kStyle);
    out += fmt::format(R"(<text class="title" x="{}" y="28">{}</text>)", kMargin, xml(title()));
    out += fmt::format(R"(<text class="note" x="{}" y="48">{}</text>)", kMargin, xml(notes()));
    out += fmt::format(
        "<text class=\"detail\" x=\"{}\" y=\"91\">click a frame to widen it, / to search, Escape "
        "for "
        "the whole</text>\n",
        kMargin);
    out += fmt::format(
        R"(<foreignObject x="{}" y="10" width="260" height="30" style="display:none">)"
        R"(<input xmlns="http://www.w3.org/1999/xhtml" type="search" )"
        R"(placeholder="search: a regular expression" aria-label="search"/></foreignObject>)",
        kWidth - kMargin - 260);
    out += "\n" + frames_ + legend;
    out += fmt::format("<script><![CDATA[{}]]></script>\n</svg>\n", flamegraph::kScript);
    return out;
  }

 private:
  std::string title() const {
    return fmt::format("Flame graph of {}: {}", printable(metric_words(metric_)),
                       format_value(metric_.unit, whole_));
  }

  std::string notes() const {
    std::string text = format_plural(profile_.processes.size(), "process", "processes");
    text += ", " + format_plural(profile_.threads.size(), "thread", "threads");
    if (overview_.samples > 0) text += fmt::format(", {} samples", format_count(overview_.samples));
    if (!profile_.processes.empty() && !profile_.processes[0].source.empty()) {
      text = shorten_front(printable(profile_.processes[0].source), 60) + ": " + text;
    }
    if (profile_.paths_are_estimated) text += "; call paths are estimated from call edges";
    if (left_out_ > 0) {
      text += fmt::format("; {} too small to be seen",
                          format_plural(left_out_, "frame is", "frames are"));
    }
    return text;
  }

  // The value below which a frame is left out: by its width, and by the number of all frames.
  std::int64_t smallest_value() const {
    std::vector<std::int64_t> values;
    const double narrowest = static_cast<double>(whole_) * kNarrowest / kRoom;
    for (const ViewNode& node : tree_.nodes) {
      const bool is_seen = node.depth < kMostLevels && static_cast<double>(node.total) >= narrowest;
      if (is_seen && node.total > 0) values.push_back(node.total);
    }
    if (values.size() <= kMostFrames) {
      return values.empty() ? 1 : *std::min_element(values.begin(), values.end());
    }
    const auto last = values.begin() + (kMostFrames - 1);
    std::nth_element(values.begin(), last, values.end(), std::greater<>());
    return *last;
  }

  void draw_frames() {
    struct Open {
      std::uint32_t node;
      std::int64_t start;
    };
    const std::int64_t smallest = smallest_value();
    std::size_t drawn = 0;
    draw_frame(0, 0, whole_, "all", "", 0, kWholeColour);
    std::vector<Open> open;
    const auto open_all = [&](const std::vector<std::uint32_t>& nodes, std::int64_t start) {
      const std::size_t first = open.size();
      for (const std::uint32_t node : nodes) {
        if (tree_.nodes[node].total < smallest) break;  // heaviest first
        open.push_back({node, start});
        start += tree_.nodes[node].total;
      }
      std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    };
    open_all(tree_.roots, 0);
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      const ViewNode& node = tree_.nodes[next.node];
      if (node.depth >= kMostLevels || drawn == kMostFrames) continue;
      ++drawn;
      const Function& function = profile_.functions[node.function.row()];
      draw_frame(node.depth + 1, next.start, node.total,
                 shorten_back(printable(display_name(profile_, function)), kLongestName),
                 shorten_front(printable(display_place(profile_, function)), kLongestName),
                 node.self, origin_of(profile_, function).colour);
      open_all(node.children, next.start);
    }
    left_out_ = tree_.nodes.size() - drawn;
  }

  void draw_frame(std::uint32_t level, std::int64_t start, std::int64_t value,
                  const std::string& name, const std::string& place, std::int64_t self,
                  const char* colour) {
    levels_ = std::max(levels_, level + 1);
    const double scale = whole_ == 0 ? 0 : kRoom / static_cast<double>(whole_);
    const double x = kMargin + static_cast<double>(start) * scale;
    // Negative values beside it may leave less room than it asks for.
    const double width = std::min(static_cast<double>(value) * scale, kMargin + kRoom - x);
    const std::uint32_t y = kTop + level * kRowHeight;
    const double letters = (width - 6) / kLetter;
    const std::string label =
        letters < 3 ? "" : shorten_back(name, static_cast<std::size_t>(letters));
    std::string text = name;
    if (!place.empty() && place != name) text += "\n" + place;
    text += fmt::format(
        "\n{} ({})", format_value(metric_.unit, value),
        format_percent(whole_ == 0 ? 0 : static_cast<double>(value) / static_cast<double>(whole_)));
    if (self != 0) text += fmt::format(", {} of it itself", format_value(metric_.unit, self));
    frames_ += fmt::format(
        R"(<g class="frame"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="2" )"
        R"(fill="{}"/><text x="{}" y="{}">{}</text></g>)"
        "\n",
        xml(text), short_number(x), y, short_number(std::max(width, 0.0)), kRowHeight - 1, colour,
        short_number(x + 3), y + 13, xml(label));
  }

  // The origins with the largest self values.
  std::string draw_legend() const {
    struct Entry {
      const char* colour = nullptr;
      std::int64_t self = 0;
    };
    std::vector<std::int64_t> self(profile_.functions.size());
    for (const ViewNode& node : tree_.nodes) self[node.function.row()] += node.self;
    std::map<std::string, Entry> origins;
    for (std::size_t row = 0; row < self.size(); ++row) {
      const Origin origin = origin_of(profile_, profile_.functions[row]);
      Entry& entry = origins[origin.name];
      entry.colour = origin.colour;
      entry.self += self[row];
    }
    std::vector<std::pair<std::string, Entry>> entries(origins.begin(), origins.end());
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.second.self > b.second.self; });
    entries.resize(std::min(entries.size(), kMostLegends));
    constexpr int kLine = 70;
    double x = kMargin;
    std::string out;
    for (const auto& [name, entry] : entries) {
      if (entry.self <= 0) break;
      const std::string text = fmt::format(
          "{} {}", shorten_front(name, 34),
          format_percent(static_cast<double>(entry.self) / static_cast<double>(whole_)));
      out += fmt::format(
          R"(<g class="legend"><rect x="{}" y="{}" width="12" height="12" rx="2" fill="{}"/>)"
          R"(<text x="{}" y="{}">{}</text></g>)"
          "\n",
          short_number(x), kLine - 10, entry.colour, short_number(x + 17), kLine, xml(text));
      x += 17 + 6.6 * static_cast<double>(display_width(text)) + 18;
      if (x > kWidth - 150) break;
    }
    return out;
  }

  const Overview& overview_;
  const Profile& profile_;
  const Metric& metric_;
  ViewTree tree_;
  std::int64_t whole_ = 0;
  std::uint32_t levels_ = 0;
  std::size_t left_out_ = 0;
  std::string frames_;
};

}  // namespace

Result<std::string> export_flamegraph(const Overview& overview) {
  const Metric& metric = overview.profile.metrics[overview.metric.row()];
  if (metric.combine != Combine::kSum) {
    return fail(ErrorCode::kUsage,
                "a flame graph needs values that add up, which those of {} do not; choose another "
                "with --metric",
                metric.name);
  }
  return FlameGraph(overview).write();
}

}  // namespace pyrometer
