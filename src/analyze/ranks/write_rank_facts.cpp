// The tables of RankFacts as bytes: a version, how many there are of everything, then the tables.
#include "analyze/ranks/rank_table_bytes.h"

namespace pyrometer {
namespace {

constexpr char kVersion = 1;

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kCorrupt,
              "the analysis of ranks in the merged file is damaged; merge the run again");
}

}  // namespace

RankFacts make_empty_facts(const Profile& profile) {
  RankFacts facts{.metric = {.is_sampled = profile.is_sampled},
                  .list = make_rank_list(profile),
                  .items = RankItems(profile),
                  .tables = {},
                  .site_calls = {},
                  .site_bytes = {}};
  const std::size_t functions = profile.functions.size();
  const std::size_t sites = facts.items.sites.size();
  const std::size_t items[kRankSubjects] = {functions, functions, facts.items.lines.size(), sites,
                                            sites};
  for (std::size_t i = 0; i < kRankSubjects; ++i) facts.tables[i].items.resize(items[i]);
  facts.site_calls.resize(sites);
  facts.site_bytes.resize(sites);
  return facts;
}

std::string write_rank_facts(const RankFacts& facts) {
  ByteWriter plain;
  plain.varint(facts.ranks());
  for (const RankTable& table : facts.tables) plain.varint(table.items.size());
  for (const RankTable& table : facts.tables) write_rank_table(plain, table);
  for (std::size_t i = 0; i < facts.site_calls.size(); ++i) {
    plain.signed_varint(facts.site_calls[i]);
    plain.signed_varint(facts.site_bytes[i]);
  }
  return kVersion + write_compressed(plain.bytes());
}

Result<RankFacts> read_rank_facts(const Profile& profile, std::string_view bytes) {
  if (bytes.empty()) return damaged();
  if (bytes[0] != kVersion) {
    return fail(ErrorCode::kUnsupported,
                "the analysis of ranks was written by another version; merge the run again");
  }
  const auto plain = read_compressed(bytes.substr(1));
  if (!plain) return damaged();
  RankFacts facts = make_empty_facts(profile);
  ByteReader in(*plain);
  bool fits = in.varint() == facts.ranks();
  for (const RankTable& table : facts.tables) fits &= in.varint() == table.items.size();
  if (!fits) return damaged();
  for (RankTable& table : facts.tables) read_rank_table(in, table, facts.ranks());
  for (std::size_t i = 0; i < facts.site_calls.size(); ++i) {
    facts.site_calls[i] = in.signed_varint();
    facts.site_bytes[i] = in.signed_varint();
  }
  if (!in.done()) return damaged();
  return facts;
}

}  // namespace pyrometer
