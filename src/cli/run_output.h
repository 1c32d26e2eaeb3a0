// Where a run is recorded, and the files that are derived from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "record/run_output.h"

namespace pyrometer {

enum class DerivedKind : std::uint8_t { kProf, kLprof, kReport, kGraph, kExport };
// By the end of the name, behind which a rank may stand: "x.prof", "x.lprof%r", "x-%r.txt"; all
// that `export` knows by its name is an export. Nothing for names of folders.
std::optional<DerivedKind> derived_kind(std::string_view pattern);
// The pattern without what stands behind the end that tells the kind.
std::string_view without_parts_at_end(std::string_view pattern);

struct RunOutput {
  Path directory;            // as the user would type it
  std::string derived = {};  // pattern of the derived files; empty: none are wanted
};

// The directory of the run, as open_run_directory(), and what shall be derived from it.
Result<RunOutput> open_run_output(OutputRequest request, const RunInfo& info);

struct DerivedRequest {
  RunOutput output;
  NameParts parts;
  std::int32_t rank = -1;     // ours; -1: none
  bool is_last_rank = false;  // all others have ended
};

// Whether the name stands for a file per process or rank, as with %p or %r.
bool is_per_process(std::string_view pattern);

// Derives the files once the program has ended; returns their names. Of files per process every
// rank writes its own; a file over all is written by the rank that ends last.
Result<std::vector<std::string>> write_derived_files(const DerivedRequest& request);

}  // namespace pyrometer
