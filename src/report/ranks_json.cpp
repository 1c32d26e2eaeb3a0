#include <algorithm>

#include "analyze/findings/findings.h"
#include "analyze/names.h"
#include "analyze/ranks/communicators.h"
#include "analyze/ranks/efficiency.h"
#include "analyze/ranks/idle_ranks.h"
#include "analyze/ranks/mpi_waits.h"
#include "analyze/ranks/rank_histogram.h"
#include "analyze/ranks/serial_lines.h"
#include "base/json_writer.h"
#include "report/ranks_report.h"

namespace pyrometer {
namespace {

constexpr int kSchemaVersion = 1;

constexpr std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kWarning: return "warning";
    case Finding::Kind::kHot: return "hot";
    case Finding::Kind::kHint: return "hint";
  }
  return "?";
}

constexpr std::string_view name_of(CoreSharing sharing) {
  switch (sharing) {
    case CoreSharing::kNone: return "none";
    case CoreSharing::kTooManyRanks: return "too-many-ranks";
    case CoreSharing::kWaitedForCores: return "waited-for-cores";
  }
  return "?";
}

class RanksJson {
 public:
  RanksJson(const Overview& overview, const RanksReportOptions& options)
      : overview_(overview),
        profile_(overview.profile),
        facts_(*overview.ranks),
        list_(facts_.list),
        options_(options) {}

  std::string write() {
    json_.begin_object();
    json_.member("schema_version", kSchemaVersion).member("kind", "pyrometer-ranks");
    json_.member("metric", facts_.metric.name)
        .member("unit", pyrometer::name_of(facts_.metric.unit));
    json_.member("sampled", facts_.metric.is_sampled);
    write_job();
    write_efficiency();
    write_findings();
    write_ranks();
    write_hosts();
    write_functions();
    write_lines();
    write_mpi();
    write_serial_lines();
    write_idle_ranks();
    if (!options_.functions.empty()) write_chosen_functions();
    if (options_.rank) write_chosen_rank();
    json_.end_object();
    return json_.take();
  }

 private:
  std::size_t shown(std::size_t all) const { return std::min(all, options_.limit.value_or(all)); }

  void write_text_attribute(std::string_view name, std::string_view key) {
    const std::string text = attribute(profile_.processes[list_.ranks[0].process.row()], key);
    json_.key(name);
    text.empty() ? json_.null() : json_.value(text);
  }

  void write_job() {
    json_.key("job").begin_object();
    json_.member("ranks", list_.ranks.size()).member("world_size", list_.world_size);
    write_text_attribute("launcher", "launcher");
    write_text_attribute("mpi_library", "mpi.library");
    json_.member("wall_ns", list_.wall).member("useful_ns", list_.useful);
    json_.member("mpi_ns", list_.mpi).member("mpi_wait_ns", list_.mpi_wait);
    json_.member("time_ns", list_.job_time()).member("core_sharing", name_of(list_.sharing));
    json_.end_object();
  }

  void write_efficiency() {
    const Efficiency efficiency = find_efficiency(list_);
    const bool is_given = efficiency.withheld.empty();
    const auto write = [&](std::string_view name, double value) {
      json_.key(name);
      is_given ? json_.value(value) : json_.null();
    };
    json_.key("efficiency").begin_object();
    write("parallel", efficiency.parallel);
    write("load_balance", efficiency.load_balance);
    write("communication", efficiency.communication);
    json_.key("withheld");
    is_given ? json_.null() : json_.value(efficiency.withheld);
    json_.end_object();
  }

  void write_findings() {
    json_.key("findings").begin_array();
    for (const Finding& finding : find_all_of_ranks(overview_)) {
      json_.begin_object().member("id", finding.id).member("kind", name_of(finding.kind));
      json_.member("sentence", finding.sentence).member("share", finding.share).end_object();
    }
    json_.end_array();
  }

  void write_ranks() {
    json_.key("ranks").begin_array();
    for (const JobRank& rank : list_.ranks) {
      const Process& process = profile_.processes[rank.process.row()];
      json_.begin_object().member("rank", rank.number).member("host", process.host);
      json_.member("pid", process.pid).member("processes", rank.processes);
      json_.member("wall_ns", rank.wall).member("useful_ns", rank.useful);
      json_.member("mpi_ns", rank.mpi).member("mpi_wait_ns", rank.mpi_wait);
      json_.member("io_ns", rank.io).member("sleep_ns", rank.sleep);
      json_.member("runnable_ns", rank.runnable).member("samples", rank.samples);
      json_.member("status", pyrometer::name_of(process.status)).key("exit_status");
      process.exit_status ? json_.value(*process.exit_status) : json_.null();
      json_.end_object();
    }
    json_.end_array();
  }

  void write_hosts() {
    json_.key("hosts").begin_array();
    for (const RankHost& host : list_.hosts) {
      json_.begin_object().member("name", host.name).member("ranks", host.ranks).key("cores");
      host.cores > 0 ? json_.value(host.cores) : json_.null();
      json_.end_object();
    }
    json_.end_array();
  }

  void write_place(FunctionId id, std::uint32_t line) {
    const Function& function = profile_.functions[id.row()];
    json_.member("name", display_name(profile_, function));
    json_.member("file", profile_.text(function.short_file)).member("line", line);
  }

  void write_imbalance(RankSubject subject, const Imbalance& row) {
    json_.member("mean", row.mean).member("deviation", row.deviation);
    json_.member("minimum", row.minimum).member("minimum_rank", facts_.number(row.minimum_rank));
    json_.member("maximum", row.maximum).member("maximum_rank", facts_.number(row.maximum_rank));
    json_.member("imbalance", row.factor).member("cost", row.cost).member("share", row.share);
    const AcrossRanks& statistics = facts_.of(subject, row.item);
    json_.member("effective_ranks", statistics.effective_ranks());
    json_.member("samples", statistics.samples).member("certain", row.is_certain);
    const RankHistogram histogram = make_histogram(facts_.table(subject), row.item, facts_.ranks());
    json_.key("histogram").begin_object();
    json_.member("from", histogram.from).member("to", histogram.to).key("counts").begin_array();
    for (const std::size_t count : histogram.counts) json_.value(count);
    json_.end_array().end_object();
  }

  void write_functions() {
    const auto rows = select_rank_rows(overview_, RankSubject::kTotal, options_);
    json_.key("functions").begin_array();
    for (std::size_t i = 0; i < shown(rows.size()); ++i) {
      json_.begin_object();
      write_place(FunctionId(rows[i].item), profile_.functions[rows[i].item].first_line);
      write_imbalance(RankSubject::kTotal, rows[i]);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_lines() {
    const auto rows = select_rank_rows(overview_, RankSubject::kLine, options_);
    json_.key("lines").begin_array();
    for (std::size_t i = 0; i < shown(rows.size()); ++i) {
      const CodeLine& place = facts_.items.lines[rows[i].item];
      json_.begin_object();
      write_place(place.function, place.line);
      write_imbalance(RankSubject::kLine, rows[i]);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_mpi() {
    const std::vector<MpiSiteCost> sites = find_mpi_sites(facts_);
    const Communicators communicators(facts_.items, profile_.mpi_calls);
    json_.key("mpi").begin_array();
    for (std::size_t i = 0; i < shown(sites.size()); ++i) {
      const MpiSiteCost& cost = sites[i];
      const MpiCallLine& site = facts_.items.sites[cost.site];
      json_.begin_object();
      json_.member("call", profile_.text(profile_.functions[site.call.row()].name));
      json_.key("caller");
      if (site.caller.function.is_none()) {
        json_.null();
      } else {
        json_.begin_object();
        write_place(site.caller.function, site.caller.line);
        json_.end_object();
      }
      json_.member("calls", cost.calls).member("bytes", cost.bytes);
      write_communicators(communicators.smallest[cost.site], communicators.largest[cost.site]);
      json_.member("time_ns", cost.time).member("wait_ns", cost.wait).member("share", cost.share);
      write_culprit(cost.culprit);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_communicators(std::uint32_t smallest, std::uint32_t largest) {
    json_.key("communicator");
    if (largest == 0) {
      json_.null();
      return;
    }
    json_.begin_object().member("smallest", smallest).member("largest", largest).end_object();
  }

  void write_culprit(const std::optional<Culprit>& culprit) {
    json_.key("likely_for");
    if (!culprit) {
      json_.null();
      return;
    }
    const CodeLine& place = facts_.items.lines[culprit->line];
    json_.begin_object().member("rank", facts_.number(culprit->rank));
    write_place(place.function, place.line);
    json_.member("excess_ns", culprit->excess).end_object();
  }

  void write_serial_lines() {
    const SerialLines serial = find_serial_lines(facts_);
    json_.key("serial").begin_object().member("share", serial.share).key("ceiling");
    serial.lines.empty() ? json_.null() : json_.value(serial.ceiling());
    json_.key("lines").begin_array();
    for (const SerialLine& line : serial.lines) {
      const CodeLine& place = facts_.items.lines[line.line];
      json_.begin_object();
      write_place(place.function, place.line);
      json_.member("rank", facts_.number(line.rank)).member("time_ns", line.time);
      json_.member("share", line.share).end_object();
    }
    json_.end_array().end_object();
  }

  void write_idle_ranks() {
    const IdleRanks idle = find_idle_ranks(list_);
    json_.key("idle").begin_object().key("ranks").begin_array();
    for (const std::uint32_t rank : idle.ranks) json_.value(facts_.number(rank));
    json_.end_array().member("core_hours", idle.core_hours).end_object();
  }

  // Each with its values on the ranks for which it weighs something.
  void write_chosen_functions() {
    json_.key("by_rank").begin_array();
    for (const Imbalance& row : select_rank_functions(overview_, options_)) {
      json_.begin_object();
      write_place(FunctionId(row.item), profile_.functions[row.item].first_line);
      json_.key("values").begin_array();
      for (const RankCell& cell : facts_.table(RankSubject::kTotal).row(row.item)) {
        json_.begin_object().member("rank", facts_.number(cell.rank));
        json_.member("value", cell.value).end_object();
      }
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  void write_chosen_rank() {
    std::vector<RankCell> cells;
    for (const RankCell& cell : facts_.table(RankSubject::kTotal).cells) {
      if (facts_.number(cell.rank) == *options_.rank) cells.push_back(cell);
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [](const RankCell& a, const RankCell& b) { return a.value > b.value; });
    json_.key("of_rank").begin_object().member("rank", *options_.rank);
    json_.key("functions").begin_array();
    for (const RankCell& cell : cells) {
      json_.begin_object();
      write_place(FunctionId(cell.item), profile_.functions[cell.item].first_line);
      json_.member("total", cell.value)
          .member("mean", facts_.of(RankSubject::kTotal, cell.item).mean(facts_.ranks()));
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  const Overview& overview_;
  const Profile& profile_;
  const RankFacts& facts_;
  const RankList& list_;
  const RanksReportOptions& options_;
  JsonWriter json_;
};

}  // namespace

std::string ranks_json(const Overview& overview, const RanksReportOptions& options) {
  return RanksJson(overview, options).write();
}

}  // namespace pyrometer
