// What one worker has read: the union of its files' structure, and the values of each
// process put aside. Workers share nothing; their shards meet in write_merged().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "merge/details.h"
#include "merge/packer.h"
#include "merge/spool.h"
#include "merge/structure_union.h"
#include "profile/profile.h"
#include "store/pyro_reader.h"

namespace pyrometer {

// The threads of one class in one process.
struct ClassSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;  // 0: unknown
};

struct ProcessFacts {
  Process process;
  std::array<std::optional<ClassSpan>, kThreadClasses> classes;
  std::uint64_t digest = 0;  // equal for equal values, events and details
};

// What was put aside of a process.
struct ProcessPieces {
  std::vector<Spool::Piece> values;
  Spool::Piece events, details;  // empty where there are none
};

struct ShardProcess {
  ProcessFacts facts;
  ProcessPieces pieces;
};

class Shard {
 public:
  // What does not fit into `memory_limit` bytes is put aside beside `output`.
  Shard(const Path& output, std::uint64_t memory_limit) : spool_(output, memory_limit) {}

  Result<void> add(Profile profile);
  // Block by block: a merged file may be larger than memory. Processes for which `is_wanted` says
  // no are left out.
  using IsWanted = std::function<bool(const Process&)>;
  Result<void> add(const PyroReader& reader, const IsWanted& is_wanted = {});

  void add_note(const std::string& note) { structure_.add_note(note); }

  const MergedTables& tables() const { return structure_.tables(); }
  std::vector<ShardProcess>& processes() { return processes_; }
  Spool& spool() { return spool_; }

 private:
  Result<void> put_details_aside(const MergedTables& file, const RowMaps& rows,
                                 const ProcessDetails& details, ShardProcess& into);
  Result<void> put_bins_aside(const PyroReader& reader, const MergedTables& file,
                              const RowMaps& rows, std::vector<ShardProcess>& processes);
  Result<void> put_aside(Packer& packer, std::size_t process, std::string events,
                         ShardProcess& into);

  StructureUnion structure_;
  Spool spool_;
  std::vector<ShardProcess> processes_;
};

}  // namespace pyrometer
