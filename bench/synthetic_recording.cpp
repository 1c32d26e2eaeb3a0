#include "synthetic_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "record/writer.h"

namespace pyrometer {
namespace {

constexpr std::uint32_t kNodesPerRecord = 10'000;
constexpr std::uint64_t kSamplesPerBatch = 20'000;
constexpr std::int64_t kStart = 1'000'000'000'000;
constexpr std::int64_t kInterval = 5'000'000;  // 200 Hz
constexpr std::int64_t kMicrosecond = 1000;

constexpr std::array<std::string_view, 6> kMetricNames{"wall",     "cpu", "system",
                                                       "gil-wait", "io",  "mpi"};

class Synthesis {
 public:
  explicit Synthesis(const SyntheticShape& shape)
      : shape_(shape),
        random_(shape.seed + 7919U * static_cast<std::uint32_t>(shape.rank + 1)),
        writer_({.rank = shape.rank,
                 .world_size = shape.world_size,
                 .pid = 1000 + static_cast<std::uint32_t>(shape.rank + 1),
                 .parent_pid = 1,
                 .monotonic = kStart,
                 .realtime = 1'700'000'000'000'000'000,
                 .host = "synthetic",
                 .launch = "synthetic:1"}) {
    if (shape.compressed) writer_.compress_from(256);
  }

  std::string make() {
    define();
    make_nodes();
    if (shape_.samples > 0) make_samples();
    if (shape_.checkpoint) make_checkpoints();
    writer_.end({.time = time_, .reason = EndReason::kExit, .status = 0});
    return writer_.take_pending();
  }

 private:
  void define() {
    writer_.attribute("sys.path", "/home/user/project");
    for (std::size_t i = 0; i < std::min<std::size_t>(shape_.metrics, kMetricNames.size()); ++i) {
      const std::uint32_t metric =
          writer_.add_metric(kMetricNames[i], Unit::kNanoseconds, Combine::kSum);
      metrics_.push_back({metric, kMicrosecond});
    }
    samples_metric_ = writer_.add_metric("samples", Unit::kCount, Combine::kSum);
    for (std::uint32_t i = 0; i < shape_.functions; ++i) {
      const std::uint32_t name = writer_.add_string(fmt::format("function_{}", i));
      const std::uint32_t file =
          writer_.add_string(fmt::format("/home/user/project/module_{}.py", i % 20));
      writer_.add_code(
          {.name = name, .qualified_name = name, .file = file, .first_line = 10 * i + 1});
    }
    for (std::uint32_t i = 0; i < shape_.threads; ++i) {
      const std::uint32_t name = writer_.add_string(fmt::format("thread-{}", i));
      writer_.thread({.id = i,
                      .tid = 2000 + i,
                      .thread_class = i == 0 ? ThreadClass::kMain : ThreadClass::kPython,
                      .name = name,
                      .start = kStart});
    }
  }

  // A tree with the shape of real ones: most nodes near the leaves, some long paths.
  void make_nodes() {
    std::mt19937 engine(42);
    const auto shape_random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    for (std::uint32_t first = 0; first < shape_.nodes; first += kNodesPerRecord) {
      RowWriter rows(node_columns());
      const std::uint32_t last = std::min(shape_.nodes, first + kNodesPerRecord);
      for (std::uint32_t node = first; node < last; ++node) {
        const std::uint32_t window = shape_.chain ? 1 : std::min<std::uint32_t>(node, 300);
        const std::uint32_t parent =
            node == 0 ? 0 : shallow_enough(node - shape_random() % window, node);
        depths_.push_back(parent == 0 ? 1 : depths_[parent - 1] + 1);
        parents_.push_back(parent);
        const std::uint32_t code = code_below(parent, shape_random());
        codes_.push_back(code);
        const std::uint32_t line = 10 * code + 2 + shape_random() % 8;
        rows.row({parent, std::int64_t{code} * 2, line, 0});
      }
      writer_.nodes(rows);
    }
  }

  // Functions that call each other at random; with a limited depth each has its level and calls
  // four of the next one, as in a program that does not recurse.
  std::uint32_t code_below(std::uint32_t parent, std::uint32_t chance) const {
    if (shape_.deepest == 0) return chance % shape_.functions;
    if (parent == 0) return 0;
    const std::uint32_t per_level = std::max(1U, shape_.functions / shape_.deepest);
    const std::uint32_t callee = (codes_[parent - 1] * 7 + chance % 4 * 5) % per_level;
    return std::min(shape_.functions - 1, depths_[parent - 1] * per_level + callee);
  }

  // Nodes are counted from 1 here: 0 is the root. The node itself where paths may go on from it,
  // else one above it at any depth.
  std::uint32_t shallow_enough(std::uint32_t node, std::uint32_t chance) const {
    if (shape_.deepest == 0 || depths_[node - 1] < shape_.deepest) return node;
    const std::uint32_t depth = 1 + chance % (shape_.deepest - 1);
    while (depths_[node - 1] > depth) node = parents_[node - 1];
    return node;
  }

  std::int64_t some_time() {
    return static_cast<std::int64_t>(random_() % 8000 + 1000) * kMicrosecond;
  }

  // A program stays where it is for a while, mostly at its hot places.
  std::uint32_t next_node(std::uint64_t sample) {
    if (shape_.zipf_samples == 0) return static_cast<std::uint32_t>(random_() % shape_.nodes);
    if (sample % 16 == 0 || random_() % 16 == 0) {
      const double chance = static_cast<double>(random_()) / 4294967296.0;
      place_ = static_cast<std::uint32_t>(std::pow(shape_.nodes, chance)) - 1;
    }
    return node_of_place(place_);
  }

  // Hot nodes are spread over the tree, the same in every rank.
  std::uint32_t node_of_place(std::uint32_t place) const {
    return static_cast<std::uint32_t>(place * std::uint64_t{2654435761U} % shape_.nodes);
  }

  void make_samples() {
    for (std::uint64_t done = 0; done < shape_.samples;) {
      const auto thread = static_cast<std::uint32_t>((done / kSamplesPerBatch) % shape_.threads);
      const std::uint64_t count = std::min(kSamplesPerBatch, shape_.samples - done);
      const std::vector<BatchMetric> metrics(
          metrics_.begin(), metrics_.begin() + std::min<std::ptrdiff_t>(2, std::ssize(metrics_)));
      RowWriter rows(sample_columns(kMicrosecond, metrics));
      std::vector<std::int64_t> row(2 + metrics.size());
      for (std::uint64_t i = 0; i < count; ++i) {
        time_ += kInterval;
        row[0] = time_;
        row[1] = next_node(i);
        for (std::size_t k = 2; k < row.size(); ++k) row[k] = some_time();
        rows.row(row);
      }
      writer_.samples(thread, kMicrosecond, metrics, rows);
      done += count;
    }
  }

  // Wall time and what it consists of: CPU time with some in the kernel, or waiting of one kind.
  void fill_counts(std::uint32_t place, std::span<std::int64_t> values) {
    const double mean = shape_.zipf_samples / (place + 1.0) / (std::log(shape_.nodes) + 0.577);
    const std::int64_t count = std::poisson_distribution<int>(mean)(random_);
    const std::uint32_t kind = place % 10;  // which metric has the time of this code
    std::fill(values.begin(), values.end(), 0);
    values[0] = count * kInterval;
    const std::size_t second = kind < 7 ? 1 : kind - 4;  // cpu, or gil-wait, io, mpi
    if (second < values.size() - 1) values[second] = values[0];
    if (kind < 2 && values.size() > 3) values[2] = count / 3 * kInterval;
    values.back() = count;
  }

  void make_zipf_checkpoint(std::uint32_t thread, const std::vector<BatchMetric>& metrics) {
    RowWriter rows(checkpoint_columns(CheckpointSubject::kNode, metrics));
    std::vector<std::int64_t> row(1 + metrics.size());
    std::vector<std::uint32_t> places(shape_.nodes);
    for (std::uint32_t place = 0; place < shape_.nodes; ++place) {
      places[node_of_place(place)] = place;
    }
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      row[0] = node;
      fill_counts(places[node], std::span(row).subspan(1));
      if (row.back() != 0) rows.row(row);
    }
    time_ += kInterval;
    writer_.checkpoint(time_, thread, CheckpointSubject::kNode, metrics, rows);
  }

  void make_checkpoints() {
    std::vector<BatchMetric> metrics = metrics_;
    metrics.push_back({samples_metric_, 1});
    for (std::uint32_t thread = 0; thread < shape_.threads; ++thread) {
      if (shape_.zipf_samples != 0) {
        make_zipf_checkpoint(thread, metrics);
        continue;
      }
      RowWriter rows(checkpoint_columns(CheckpointSubject::kNode, metrics));
      std::vector<std::int64_t> row(1 + metrics.size());
      for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
        if (static_cast<double>(random_() % 1000) >= 1000 * shape_.density) continue;
        row[0] = node;
        for (std::size_t k = 0; k < metrics_.size(); ++k) row[k + 1] = some_time();
        row.back() = random_() % 5 + 1;
        rows.row(row);
      }
      time_ += kInterval;
      writer_.checkpoint(time_, thread, CheckpointSubject::kNode, metrics, rows);
    }
  }

  const SyntheticShape& shape_;
  std::mt19937 random_;
  RecordingWriter writer_;
  std::vector<BatchMetric> metrics_;
  std::vector<std::uint32_t> depths_, parents_, codes_;  // of the nodes so far
  std::uint32_t samples_metric_ = 0;
  std::uint32_t place_ = 0;  // where the program is, counted from its hottest node
  std::int64_t time_ = kStart;
};

}  // namespace

std::string synthetic_recording(const SyntheticShape& shape) { return Synthesis(shape).make(); }

}  // namespace pyrometer
