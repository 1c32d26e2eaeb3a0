#include "analyze/counters.h"
#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "base/json_writer.h"
#include "profile/source_lines.h"
#include "report/memory_json_parts.h"
#include "report/memory_lines_text.h"
#include "report/memory_report.h"

namespace pyrometer {
namespace {

constexpr int kSchemaVersion = 1;
constexpr std::size_t kMostPaths = 100;  // unless somebody wants more

class MemoryJson {
 public:
  MemoryJson(const MemorySubject& subject, const MemoryReportOptions& options)
      : subject_(subject), profile_(subject.profile()), facts_(subject.facts), options_(options) {}

  std::string write() {
    json_.begin_object();
    json_.member("schema_version", kSchemaVersion).member("kind", "pyrometer-memory");
    json_.key("mode");
    facts_.mode.empty() ? json_.null() : json_.value(facts_.mode);
    json_.member("duration_ns", facts_.duration);
    json_.key("total").begin_object();
    write_figures(json_, facts_.figures);
    json_.end_object();
    json_.key("together").begin_object();
    write_memory_peak(json_, "heap", facts_.heap_together);
    write_memory_peak(json_, "resident", facts_.resident_together);
    json_.end_object();
    write_findings();
    write_memory_comparison(json_, subject_);
    write_sites();
    write_paths();
    write_growing();
    if (options_.at) write_live();
    write_sizes();
    write_regions();
    write_series();
    write_memory_lines(json_, select_memory_lines(subject_, options_),
                       [&](const std::string& file) { return source_of(profile_, file); });
    json_.end_object();
    return json_.take();
  }

 private:
  void write_place(const MemoryPlace& place) {
    const Function& function = profile_.functions[place.function.row()];
    json_.member("function", display_name(profile_, function));
    json_.member("file", profile_.text(function.file));
    json_.member("line", place.line == 0 ? function.first_line : place.line);
  }

  void write_findings() {
    json_.key("findings").begin_array();
    for (const Finding& finding : find_all_of_memory(subject_.overview)) {
      json_.begin_object().member("id", finding.id).member("sentence", finding.sentence);
      json_.member("is_warning", finding.kind == Finding::Kind::kWarning).end_object();
    }
    json_.end_array();
  }

  void write_sites() {
    std::vector<MemorySite> sites = select_memory_sites(subject_, options_);
    limit_rows(sites, options_.selection);
    json_.member("by", options_.unit == MemoryUnit::kLine ? "line" : "function");
    json_.member("order", order_of(subject_, options_).name);
    json_.key("sites").begin_array();
    for (const MemorySite& site : sites) {
      json_.begin_object();
      write_place(site.place);
      json_.key("called_from");
      if (site.caller.function.is_none()) {
        json_.null();
      } else {
        json_.begin_object();
        write_place(site.caller);
        json_.end_object();
      }
      write_figures(json_, site.figures);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_paths() {
    const std::size_t most = options_.selection.limit.value_or(kMostPaths);
    json_.key("paths").begin_array();
    for (const MemoryPath& path : select_memory_paths(subject_, options_, most)) {
      json_.begin_object().key("frames").begin_array();
      for (const MemoryPlace& frame : path.frames) {
        json_.begin_object();
        write_place(frame);
        json_.end_object();
      }
      json_.end_array();
      write_figures(json_, path.figures);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_growing() {
    std::vector<GrowingMemory> rows = select_growing(subject_, options_);
    limit_rows(rows, options_.selection);
    json_.key("growing").begin_array();
    for (const GrowingMemory& row : rows) {
      json_.begin_object();
      write_place(row.place);
      json_.member("bytes_per_second", row.rate).member("growth_bytes", row.growth);
      json_.member("live_bytes", row.live).member("processes", row.processes).end_object();
    }
    json_.end_array();
  }

  void write_live() {
    std::vector<LiveMemory> rows = select_live(subject_, options_);
    limit_rows(rows, options_.selection);
    json_.key("live").begin_object().member("time_ns", *options_.at).key("sites").begin_array();
    for (const LiveMemory& row : rows) {
      json_.begin_object();
      write_place(row.place);
      json_.member("live_bytes", row.bytes).end_object();
    }
    json_.end_array().end_object();
  }

  void write_sizes() {
    json_.key("sizes").begin_array();
    for (const AllocationSizes& size : facts_.sizes) {
      json_.begin_object().member("bits", size.bits).member("allocations", size.count).end_object();
    }
    json_.end_array();
  }

  void write_regions() {
    json_.key("regions").begin_array();
    for (const RegionSummary& region : make_counter_overview(profile_).regions) {
      json_.begin_object().member("name", profile_.text(region.name));
      json_.member("process", region.process.row()).member("calls", region.calls);
      json_.member("duration_ns", region.duration).member("increment", region.increment);
      json_.member("largest_increment", region.largest).end_object();
    }
    json_.end_array();
  }

  void write_series() {
    json_.key("series").begin_array();
    for (const MemorySeries& series : subject_.series) {
      const bool is_heap = series.kind == MemorySeries::Kind::kHeap;
      json_.begin_object().member("process", series.process.row());
      json_.member("of", is_heap ? "heap" : "resident");
      if (const auto trend = trend_of(series); trend && options_.slope) {
        json_.member("bytes_per_second", trend->slope);
      }
      json_.key("points").begin_array();
      for (const auto& [time, bytes] : series.points) {
        json_.begin_array().value(time).value(bytes).end_array();
      }
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  const MemorySubject& subject_;
  const Profile& profile_;
  const MemoryFacts& facts_;
  const MemoryReportOptions& options_;
  JsonWriter json_;
};

}  // namespace

std::string memory_json(const MemorySubject& subject, const MemoryReportOptions& options) {
  return MemoryJson(subject, options).write();
}

}  // namespace pyrometer
