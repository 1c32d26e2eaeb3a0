// pprof's protocol buffer (profile.proto of github.com/google/pprof), gzipped. Every metric that
// has values is a sample type, and the chosen one the default.
#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <protozero/pbf_builder.hpp>

#include "analyze/names.h"
#include "base/gzip_writer.h"
#include "base/printable.h"
#include "export/exporter.h"
#include "formats/pprof_fields.h"

namespace pyrometer {
namespace {

using protozero::pbf_builder;

// A sample names its whole path, so very deep recursion makes a file that nobody can read.
constexpr std::uint64_t kMostPathEntries = 1U << 28;

std::string_view pprof_unit(Unit unit) {
  return unit == Unit::kNanoseconds ? "nanoseconds" : name_of(unit);
}

// A row of any table as pprof counts: 0 is none.
std::uint64_t number_of(std::uint32_t row) { return std::uint64_t{row} + 1; }

class PprofWriter {
 public:
  explicit PprofWriter(const Overview& overview)
      : overview_(overview), profile_(overview.profile), out_(bytes_) {
    string("");  // by definition the first one
  }

  Result<std::string> write() {
    choose_metrics();
    write_facts();
    write_modules();
    write_functions();
    write_locations();
    if (count_path_entries() > kMostPathEntries) {
      return fail(ErrorCode::kTooLarge,
                  "the call paths are too deep for pprof (over {} million entries); export "
                  "speedscope or callgrind instead",
                  kMostPathEntries / 1'000'000);
    }
    for (std::size_t thread = 0; thread < profile_.threads.size(); ++thread) write_samples(thread);
    for (const std::string& text : strings_) out_.add_string(ProfileTag::kString, text);
    return gzip(bytes_);
  }

 private:
  std::int64_t string(std::string_view text) {
    const auto next = static_cast<std::int64_t>(strings_.size());
    const auto [found, is_new] = string_numbers_.try_emplace(std::string(text), next);
    if (is_new) strings_.push_back(valid_utf8(text));
    return found->second;
  }

  // Values that do not add up over threads would be shown as a sum.
  void choose_metrics() {
    for (std::uint32_t metric = 0; metric < profile_.metrics.size(); ++metric) {
      const auto has_values = [&](const ThreadCells& cells) { return !cells[metric].empty(); };
      const bool adds_up = profile_.metrics[metric].combine == Combine::kSum;
      const bool is_used = adds_up && std::any_of(profile_.thread_cells.begin(),
                                                  profile_.thread_cells.end(), has_values);
      if (is_used || metric == overview_.metric.row()) metrics_.push_back(metric);
    }
  }

  void write_facts() {
    for (const std::uint32_t metric : metrics_) {
      pbf_builder<ValueTypeTag> type(out_, ProfileTag::kSampleType);
      type.add_int64(ValueTypeTag::kType, string(profile_.metrics[metric].name));
      type.add_int64(ValueTypeTag::kUnit, string(pprof_unit(profile_.metrics[metric].unit)));
    }
    const std::string& chosen = profile_.metrics[overview_.metric.row()].name;
    out_.add_int64(ProfileTag::kDefaultSampleType, string(chosen));
    if (!profile_.processes.empty()) {
      const auto first =
          std::min_element(profile_.processes.begin(), profile_.processes.end(),
                           [](const Process& a, const Process& b) { return a.start < b.start; });
      out_.add_int64(ProfileTag::kStart, first->start);
    }
    out_.add_int64(ProfileTag::kDuration, overview_.wall);
    if (profile_.paths_are_estimated) {
      const std::int64_t comment = string("call paths are estimated from call edges");
      out_.add_int64(ProfileTag::kComment, comment);
    }
  }

  void write_modules() {
    for (std::uint32_t row = 0; row < profile_.modules.size(); ++row) {
      const Module& module = profile_.modules[row];
      pbf_builder<MappingTag> mapping(out_, ProfileTag::kMapping);
      mapping.add_uint64(MappingTag::kId, number_of(row));
      mapping.add_int64(MappingTag::kFile, string(profile_.text(module.path)));
      mapping.add_int64(MappingTag::kBuildId, string(module.build_id));
      mapping.add_bool(MappingTag::kHasFunctions, true);  // nothing is left to be looked up
    }
  }

  void write_functions() {
    for (std::uint32_t row = 0; row < profile_.functions.size(); ++row) {
      const Function& function = profile_.functions[row];
      pbf_builder<FunctionTag> entry(out_, ProfileTag::kFunction);
      entry.add_uint64(FunctionTag::kId, number_of(row));
      entry.add_int64(FunctionTag::kName, string(display_name(profile_, function)));
      // No system name: pprof would take an equal one for C++'s and cut <...> out of it.
      entry.add_int64(FunctionTag::kFile, string(profile_.text(function.file)));
      entry.add_int64(FunctionTag::kFirstLine, function.first_line);
    }
  }

  // A location is a line of a function, whatever the path to it.
  void write_locations() {
    boost::unordered_flat_map<std::uint64_t, std::uint64_t> numbers;
    for (const Node& node : profile_.nodes) {
      const std::uint64_t key = (std::uint64_t{node.function.row()} << 32) | node.line;
      const auto [found, is_new] = numbers.try_emplace(key, numbers.size() + 1);
      locations_.push_back(found->second);
      const bool has_parent = !node.parent.is_none();
      depths_.push_back(has_parent ? depths_[node.parent.row()] + 1 : 1);
      if (!is_new) continue;
      pbf_builder<LocationTag> location(out_, ProfileTag::kLocation);
      location.add_uint64(LocationTag::kId, found->second);
      const ModuleId module = profile_.functions[node.function.row()].module;
      if (!module.is_none()) location.add_uint64(LocationTag::kMapping, number_of(module.row()));
      pbf_builder<LineTag> line(location, LocationTag::kLine);
      line.add_uint64(LineTag::kFunction, number_of(node.function.row()));
      line.add_int64(LineTag::kLine, node.line);
    }
  }

  std::string label(std::string_view key, std::string_view text) {
    std::string bytes;
    pbf_builder<LabelTag> entry(bytes);
    entry.add_int64(LabelTag::kKey, string(key));
    entry.add_int64(LabelTag::kText, string(text));
    return bytes;
  }

  // As text: pprof takes a number 0 for none.
  std::vector<std::string> labels_of(const Thread& thread) {
    const Process& process = profile_.processes[thread.process.row()];
    std::vector<std::string> labels = {label("thread", profile_.text(thread.name))};
    if (process.rank >= 0) labels.push_back(label("rank", std::to_string(process.rank)));
    if (process.pid != 0) labels.push_back(label("process", std::to_string(process.pid)));
    return labels;
  }

  struct Value {
    NodeId node;
    std::uint32_t column;
    std::int64_t value;
  };

  // Of one thread, by node, then by metric.
  std::vector<Value> values_of(std::size_t thread) const {
    std::vector<Value> values;
    for (std::uint32_t column = 0; column < metrics_.size(); ++column) {
      for (const Cell& cell : profile_.thread_cells[thread][metrics_[column]]) {
        values.push_back({cell.node, column, cell.value});
      }
    }
    std::stable_sort(values.begin(), values.end(),
                     [](const Value& a, const Value& b) { return a.node < b.node; });
    return values;
  }

  // What the samples' paths hold together, found before anything of it is written.
  std::uint64_t count_path_entries() const {
    std::uint64_t entries = 0;
    for (std::size_t thread = 0; thread < profile_.threads.size(); ++thread) {
      NodeId last = NodeId::none();
      for (const Value& value : values_of(thread)) {
        if (value.node != last) entries += depths_[value.node.row()];
        last = value.node;
      }
    }
    return entries;
  }

  void write_samples(std::size_t thread) {
    const std::vector<Value> values = values_of(thread);
    const std::vector<std::string> labels = labels_of(profile_.threads[thread]);
    std::vector<std::int64_t> row(metrics_.size());
    for (std::size_t i = 0; i < values.size();) {
      const NodeId node = values[i].node;
      std::fill(row.begin(), row.end(), 0);
      for (; i < values.size() && values[i].node == node; ++i) {
        row[values[i].column] = values[i].value;
      }
      write_sample(node, row, labels);
    }
  }

  void write_sample(NodeId node, const std::vector<std::int64_t>& row,
                    const std::vector<std::string>& labels) {
    path_.clear();  // from the innermost call outward
    for (; !node.is_none(); node = profile_.nodes[node.row()].parent) {
      path_.push_back(locations_[node.row()]);
    }
    pbf_builder<SampleTag> sample(out_, ProfileTag::kSample);
    sample.add_packed_uint64(SampleTag::kLocation, path_.begin(), path_.end());
    sample.add_packed_int64(SampleTag::kValue, row.begin(), row.end());
    for (const std::string& each : labels) sample.add_message(SampleTag::kLabel, each);
  }

  const Overview& overview_;
  const Profile& profile_;
  std::string bytes_;
  pbf_builder<ProfileTag> out_;
  std::vector<std::string> strings_;
  boost::unordered_flat_map<std::string, std::int64_t> string_numbers_;
  std::vector<std::uint32_t> metrics_;    // rows of those that are written
  std::vector<std::uint64_t> locations_;  // by node
  std::vector<std::uint32_t> depths_;     // by node
  std::vector<std::uint64_t> path_;
};

}  // namespace

Result<std::string> export_pprof(const Overview& overview) { return PprofWriter(overview).write(); }

}  // namespace pyrometer
