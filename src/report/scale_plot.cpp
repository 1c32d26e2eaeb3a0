// The chart of a scaling study: counts to the right on a base-2 scale, the ideal as a dashed line,
// and each curve named at its end, so that nobody has to look up a colour.
#include <algorithm>
#include <cmath>

#include "report/scale_report.h"
#include "report/svg_text.h"

namespace pyrometer {
namespace {

// Okabe and Ito's colours, which people with any colour vision tell apart; yellow is too faint for
// lines on white. The whole is black.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#e69f00", "#56b4e9"};
constexpr const char* kTotalColor = "#1f2328";
constexpr std::size_t kMostRows = std::size(kColors);
constexpr std::size_t kWidestLabel = 30;

constexpr double kWidth = 920, kHeight = 560;
constexpr double kLeft = 72, kRight = 300, kTop = 84, kBottom = 64;
constexpr double kLabelHeight = 18;

struct Curve {
  std::string label;
  const char* color;
  std::vector<std::optional<double>> values;  // by run
  bool is_total = false;
};

// Where values are on the paper.
class Axes {
 public:
  Axes(const Scaling& scaling, bool is_efficiency, const std::vector<Curve>& curves)
      : counts_(scaling.counts),
        is_efficiency_(is_efficiency),
        first_(std::log2(static_cast<double>(counts_.front()))),
        last_(std::log2(static_cast<double>(counts_.back()))) {
    double least = 1;
    double most = is_efficiency ? 1 : scaling.ratio(scaling.largest());
    for (std::size_t run = 0; run < counts_.size() && !is_efficiency; ++run) {
      least = std::min(least, scaling.ratio(run));
    }
    for (const Curve& curve : curves) {
      for (const auto& value : curve.values) {
        if (!value) continue;
        least = std::min(least, *value);
        most = std::max(most, *value);
      }
    }
    low_ = is_efficiency ? 0 : std::floor(std::log2(least));
    high_ = is_efficiency ? std::ceil(most * 5) / 5 : std::ceil(std::log2(most));
    if (high_ <= low_) high_ = low_ + 1;
  }

  double x(std::size_t run) const {
    const double place = (std::log2(static_cast<double>(counts_[run])) - first_) / (last_ - first_);
    return kLeft + place * (kWidth - kLeft - kRight);
  }
  double y(double value) const { return y_of_mark(is_efficiency_ ? value : std::log2(value)); }

  std::string grid() const {
    std::string out;
    const double step = is_efficiency_ ? 0.2 : std::max(1.0, std::ceil((high_ - low_) / 10));
    for (double mark = low_; mark <= high_ + 1e-9; mark += step) {
      const double at = y_of_mark(mark);
      out += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>\n",
                         kLeft, at, kWidth - kRight, at);
      const std::string label =
          is_efficiency_ ? fmt::format("{:.0f} %", 100 * mark) : power_of_two(mark);
      out += svg_text(kLeft - 10, at + 4, "tick end", label);
    }
    for (std::size_t run = 0; run < counts_.size(); ++run) {
      const double at = x(run);
      out += fmt::format(
          "<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n", at,
          kHeight - kBottom, kHeight - kBottom + 5);
      out += svg_text(at, kHeight - kBottom + 20, "tick middle", std::to_string(counts_[run]));
    }
    out += fmt::format("<line class=\"axis\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kLeft,
                       kHeight - kBottom, kWidth - kRight, kHeight - kBottom);
    out += svg_text((kLeft + kWidth - kRight) / 2, kHeight - 18, "name middle", "processes");
    return out;
  }

 private:
  // "8", "1/8"
  static std::string power_of_two(double exponent) {
    return exponent < 0 ? fmt::format("1/{:g}", std::exp2(-exponent))
                        : fmt::format("{:g}", std::exp2(exponent));
  }

  double y_of_mark(double mark) const {
    return kHeight - kBottom - (mark - low_) / (high_ - low_) * (kHeight - kTop - kBottom);
  }

  const std::vector<std::int64_t>& counts_;
  bool is_efficiency_;
  double first_, last_;        // exponents of two
  double low_ = 0, high_ = 1;  // marks: efficiencies, or powers of two
};

std::string label_of(const ScalingRow& row) {
  const CostRow& place = row.place;
  return place.line == 0 ? place.name : fmt::format("{}:{}", place.name, place.line);
}

std::vector<Curve> choose_curves(const Scaling& scaling, const ScaleReportOptions& options,
                                 ScalingField field) {
  const auto curve_of = [&](const ScalingRow& row, const std::string& label, const char* color) {
    Curve curve{.label = shorten_label(label, kWidestLabel), .color = color};
    for (std::size_t run = 0; run < scaling.counts.size(); ++run) {
      auto value = field_of(scaling, row, run, field, false);
      if (value && *value <= 0) value.reset();  // has no place on this scale
      curve.values.push_back(value);
    }
    return curve;
  };
  std::vector<Curve> curves;
  const std::size_t limit = std::min(kMostRows, options.limit.value_or(kMostRows));
  for (const ScalingRow& row : scaling.rows) {
    if (curves.size() == limit) break;
    Curve curve = curve_of(row, label_of(row), kColors[curves.size()]);
    const auto known = std::count_if(curve.values.begin(), curve.values.end(),
                                     [](const auto& value) { return value.has_value(); });
    if (known > 1) curves.push_back(std::move(curve));  // a single point shows no scaling
  }
  curves.push_back(curve_of(scaling.total, "total", kTotalColor));
  curves.back().is_total = true;
  return curves;
}

// One line through the runs that follow each other; a run without the row leaves a gap.
std::string draw_curve(const Curve& curve, const Axes& axes) {
  std::string path, dots;
  bool is_open = false;
  for (std::size_t run = 0; run < curve.values.size(); ++run) {
    const auto& value = curve.values[run];
    if (value) {
      path += fmt::format("{}{:.1f} {:.1f} ", is_open ? 'L' : 'M', axes.x(run), axes.y(*value));
      dots += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#fff\"/>\n",
          axes.x(run), axes.y(*value), curve.is_total ? 4.5 : 3.5, curve.color);
    }
    is_open = value.has_value();
  }
  if (!path.empty()) path.pop_back();
  return fmt::format(
             "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
             "stroke-linejoin=\"round\"/>\n",
             path, curve.color, curve.is_total ? 3 : 2) +
         dots;
}

struct Label {
  const Curve* curve = nullptr;
  double x = 0, y = 0;  // of the curve's end
  double at = 0;        // of the label
  double value = 0;
};

// Moves labels apart, downwards first and then back up from the bottom.
void spread(std::vector<Label>& labels) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.y < b.y; });
  double free = kTop;
  for (Label& label : labels) {
    label.at = std::max(label.y, free);
    free = label.at + kLabelHeight;
  }
  free = kHeight - kBottom;
  for (std::size_t i = labels.size(); i-- > 0;) {
    labels[i].at = std::min(labels[i].at, free);
    free = labels[i].at - kLabelHeight;
  }
}

std::string draw_labels(const std::vector<Curve>& curves, const Axes& axes, bool is_efficiency) {
  std::vector<Label> labels;
  for (const Curve& curve : curves) {
    for (std::size_t run = curve.values.size(); run-- > 0;) {
      if (!curve.values[run]) continue;
      labels.push_back({&curve, axes.x(run), axes.y(*curve.values[run]), 0, *curve.values[run]});
      break;
    }
  }
  spread(labels);
  std::string out;
  const double edge = kWidth - kRight;
  for (const Label& label : labels) {
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f} L{:.1f} {:.1f}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" "
        "opacity=\"0.45\"/>\n",
        label.x + 6, label.y, edge + 14, label.at, label.curve->color);
    const std::string value = is_efficiency ? fmt::format("{:.0f} %", 100 * label.value)
                                            : fmt::format("{:.3g}×", label.value);
    out += svg_text(edge + 18, label.at + 4, label.curve->is_total ? "label strong" : "label",
                    fmt::format("{}  {}", value, label.curve->label), label.curve->color);
  }
  return out;
}

std::string draw_ideal(const Scaling& scaling, const Axes& axes, bool is_efficiency) {
  const auto ideal = [&](std::size_t run) { return is_efficiency ? 1 : scaling.ratio(run); };
  const std::size_t last = scaling.largest();
  return fmt::format(
             "<line class=\"ideal\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
             axes.x(0), axes.y(ideal(0)), axes.x(last), axes.y(ideal(last))) +
         svg_text(axes.x(last) - 8, axes.y(ideal(last)) - 8, "tick end", "ideal");
}

constexpr std::string_view kStyle =
    "text { font-family: system-ui, \"Helvetica Neue\", Helvetica, Arial, \"DejaVu Sans\", "
    "sans-serif; }\n"
    ".title { font-size: 19px; font-weight: 600; fill: #1f2328; }\n"
    ".name { font-size: 13px; fill: #59636e; }\n"
    ".tick { font-size: 12px; fill: #59636e; }\n"
    ".label { font-size: 13px; }\n"
    ".strong { font-weight: 600; }\n"
    ".middle { text-anchor: middle; }\n"
    ".end { text-anchor: end; }\n"
    ".grid { stroke: #e4e8ec; }\n"
    ".axis { stroke: #818b98; }\n"
    ".ideal { stroke: #818b98; stroke-width: 1.5; stroke-dasharray: 6 5; }\n";

}  // namespace

std::string scale_plot(const Scaling& scaling, const ScaleReportOptions& options) {
  const bool is_efficiency = options.field == ScalingField::kEfficiency;
  const ScalingField field = is_efficiency ? ScalingField::kEfficiency : ScalingField::kSpeedup;
  const std::vector<Curve> curves = choose_curves(scaling, options, field);
  const Axes axes(scaling, is_efficiency, curves);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<style>\n{2}</style>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      kWidth, kHeight, kStyle);
  out += svg_text(kLeft, 34, "title",
                  fmt::format("{} of {} scaling", is_efficiency ? "Efficiency" : "Speed-up",
                              scaling.is_weak ? "weak" : "strong"));
  out += svg_text(
      kLeft, 56, "name",
      fmt::format("{} {}, against {} processes", scaling.metric.name,
                  scaling.time == RankTime::kMax ? "of the slowest rank" : "of the mean rank",
                  scaling.counts[scaling.reference]));
  out += axes.grid() + draw_ideal(scaling, axes, is_efficiency);
  for (const Curve& curve : curves) out += draw_curve(curve, axes);
  return out + draw_labels(curves, axes, is_efficiency) + "</svg>\n";
}

}  // namespace pyrometer
