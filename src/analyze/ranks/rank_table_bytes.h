// RankTables as bytes: varints, items and cells by their distances.
#pragma once

#include "analyze/ranks/rank_facts.h"
#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace pyrometer {

// The cells must be in order.
void write_rank_table(ByteWriter& out, const RankTable& table);
// `table` has its items, all empty. What makes no sense marks the reader failed.
void read_rank_table(ByteReader& in, RankTable& table, std::size_t ranks);

// A compressed text with its size before it; fails on sizes that compression does not explain.
std::string write_compressed(std::string_view plain);
Result<std::string> read_compressed(std::string_view bytes);

}  // namespace pyrometer
