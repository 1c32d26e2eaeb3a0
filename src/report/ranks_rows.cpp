// Which functions and lines a report about ranks shows.
#include <algorithm>

#include "analyze/names.h"
#include "report/ranks_report.h"

namespace pyrometer {
namespace {

double key_of(const Imbalance& row, RankOrder order) {
  switch (order) {
    case RankOrder::kCost: return row.cost;
    case RankOrder::kImbalance: return row.factor;
    case RankOrder::kMean: return row.mean;
    case RankOrder::kMaximum: return static_cast<double>(row.maximum);
    case RankOrder::kDeviation: return row.deviation;
  }
  return 0;
}

}  // namespace

std::string_view name_of(RankOrder order) {
  switch (order) {
    case RankOrder::kCost: return "cost";
    case RankOrder::kImbalance: return "imbalance";
    case RankOrder::kMean: return "mean";
    case RankOrder::kMaximum: return "max";
    case RankOrder::kDeviation: return "deviation";
  }
  return "?";
}

std::vector<Imbalance> select_rank_rows(const Overview& overview, RankSubject subject,
                                        const RanksReportOptions& options) {
  const RankFacts& facts = *overview.ranks;
  std::vector<Imbalance> rows = find_imbalances(facts, subject);
  const double least = options.least_share * static_cast<double>(facts.list.job_time());
  std::erase_if(rows, [&](const Imbalance& row) {
    const std::uint32_t function =
        subject == RankSubject::kLine ? facts.items.lines[row.item].function.row() : row.item;
    return static_cast<double>(row.maximum) < least ||
           overview.profile.functions[function].kind == FunctionKind::kLabel;
  });
  std::stable_sort(rows.begin(), rows.end(), [&](const Imbalance& a, const Imbalance& b) {
    return key_of(a, options.order) > key_of(b, options.order);
  });
  return rows;
}

std::vector<Imbalance> select_rank_functions(const Overview& overview,
                                             const RanksReportOptions& options) {
  const Profile& profile = overview.profile;
  std::vector<Imbalance> rows = select_rank_rows(overview, RankSubject::kTotal, options);
  std::erase_if(rows, [&](const Imbalance& row) {
    const Function& function = profile.functions[row.item];
    const std::string place = display_place(profile, function);
    return !std::all_of(options.functions.begin(), options.functions.end(), [&](const auto& each) {
      return each.matches(display_name(profile, function)) || each.matches(place);
    });
  });
  return rows;
}

}  // namespace pyrometer
