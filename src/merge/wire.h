// What the members of a team tell each other, as bytes. It comes from the same program in the same
// launch, so it is trusted: a message that makes no sense is a fault of ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "merge/shard.h"
#include "store/merged_tables.h"
#include "store/value_block.h"

namespace pyrometer {

void write_tables(ByteWriter& out, const MergedTables& tables);  // without processes and threads
MergedTables read_tables(ByteReader& in);

void write_facts(ByteWriter& out, const ProcessFacts& facts);
ProcessFacts read_facts(ByteReader& in);

void write_block(ByteWriter& out, const EncodedBlock& block);
EncodedBlock read_block(ByteReader& in);

}  // namespace pyrometer
