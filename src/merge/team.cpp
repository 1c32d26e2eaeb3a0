#include "merge/team.h"

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace pyrometer {
namespace {

std::string encode(const Result<void>& result) {
  ByteWriter out;
  if (result) return out.take();
  out.u8(static_cast<std::uint8_t>(result.error().code));
  out.raw(result.error().message);
  return out.take();
}

Result<void> decode(std::string_view bytes) {
  if (bytes.empty()) return {};
  ByteReader in(bytes);
  const auto code = static_cast<ErrorCode>(in.u8());
  return tl::unexpected(Error{code, std::string(in.rest())});
}

}  // namespace

std::vector<std::string> gather(Team& team, std::string_view bytes) {
  std::vector<std::string> all;
  if (!team.is_first()) {
    team.send(0, bytes);
    return all;
  }
  all.emplace_back(bytes);
  for (std::uint32_t from = 1; from < team.size(); ++from) all.push_back(team.receive(from));
  return all;
}

std::string broadcast(Team& team, std::string bytes) {
  // Along a binomial tree: who has it passes it on to those twice as far away.
  std::uint32_t reach = 1;
  while (reach < team.size() && reach <= team.member()) reach *= 2;
  if (!team.is_first()) bytes = team.receive(team.member() - reach / 2);
  for (; reach < team.size(); reach *= 2) {
    const std::uint32_t to = team.member() + reach;
    if (to < team.size()) team.send(to, bytes);
  }
  return bytes;
}

Result<void> agree(Team& team, const Result<void>& mine) {
  std::string first;
  for (const std::string& each : gather(team, encode(mine))) {
    if (first.empty()) first = each;
  }
  return decode(broadcast(team, std::move(first)));
}

}  // namespace pyrometer
