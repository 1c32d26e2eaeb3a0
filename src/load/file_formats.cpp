#include "load/file_formats.h"

#include <algorithm>

#include "base/gzip.h"
#include "formats/collapsed_file.h"
#include "load/callgrind.h"
#include "load/collapsed.h"
#include "load/json/json.h"
#include "load/line_text.h"
#include "load/lprof.h"
#include "load/memray_csv.h"
#include "load/mprof.h"
#include "load/pprof.h"
#include "load/pstats.h"
#include "load/recording.h"
#include "load/tau.h"
#include "store/pyro_reader.h"

namespace pyrometer {
namespace {

constexpr std::size_t kPrefix = 4096;
// Of files that are read whole, and of what a gzip file inflates to.
constexpr std::uint64_t kLargestFile = 1ULL << 30;
// What people keep of a terminal is small.
constexpr std::uint64_t kLargestText = 256ULL << 20;

Result<Profile> load_recording_file(const Path& path, Detail detail, const Progress& progress) {
  PYROMETER_TRY(RecordingReader reader, RecordingReader::open(path));
  std::error_code ignored;
  return load_recording(reader, detail, progress, std::filesystem::file_size(path, ignored));
}

Result<Profile> load_merged_file(const Path& path, Detail detail, const Progress&) {
  return read_pyro(path, detail);
}

Result<Profile> load_stacks_file(const Path& path, Detail, const Progress& progress) {
  return load_collapsed_file(path, progress);
}

Result<Profile> load_tau_text(const Path& path, Detail, const Progress&) {
  return load_tau_file(path);
}

Result<Profile> load_ppk_bytes(std::string_view bytes) {
  PYROMETER_TRY(const TauProfile tau, read_ppk(bytes));
  return load_tau(tau);
}

Result<Profile> load_mprof_text(std::string_view text) {
  PYROMETER_TRY(const MprofFile file, read_mprof(text));
  return load_mprof(file);
}

// What other profilers record, and only they themselves can read.
struct RawFormat {
  std::string_view magic;
  std::string_view sentence;
};
constexpr RawFormat kRawFormats[] = {
    {"MOJ", "it is austin's binary format (MOJO); make it text with austin's mojo2austin first"},
    {"PERFILE2",
     "it is what perf records; type: perf script -i FILE | stackcollapse-perf.pl | pyrometer "
     "report "
     "-"},
    {"HCAT",
     "it is the binary format of Python's sampler; type: python -m profiling.sampling replay "
     "--gecko -o profile.json FILE"},
    {"memray", "it is what memray records; type: memray transform csv -o profile.csv FILE"},
};

const RawFormat* find_raw_format(std::string_view prefix) {
  // memray's files are a frame of LZ4 unless asked not to be.
  constexpr std::string_view kLz4 = "\x04\x22\x4d\x18";
  constexpr std::size_t kFirstBlock = 32;
  const std::string_view begin = prefix.substr(0, kFirstBlock);
  const std::size_t memray = begin.find("memray");
  if (begin.starts_with(kLz4) && memray != std::string_view::npos) prefix.remove_prefix(memray);
  const auto* const found = std::ranges::find_if(
      kRawFormats, [&](const RawFormat& raw) { return prefix.starts_with(raw.magic); });
  return found == std::end(kRawFormats) ? nullptr : found;
}

bool looks_like_raw(std::string_view prefix) { return find_raw_format(prefix) != nullptr; }

Result<Profile> refuse_raw(std::string_view bytes) {
  return fail(ErrorCode::kUnsupported, "{}", find_raw_format(bytes)->sentence);
}

// Of readers that give everything whatever the detail.
template <auto Load>
Result<Profile> whole(std::string_view bytes, Detail) {
  return Load(bytes);
}

// The first that recognises a file reads it: certain signs before guesses.
constexpr FileFormat kFormats[] = {
    {"recording", looks_like_recording, load_recording_file},
    {"pyro", looks_like_pyro, load_merged_file},
    {"pstats", looks_like_pstats, nullptr, whole<load_pstats_bytes>},
    {"lprof", looks_like_lprof, nullptr, whole<load_lprof_bytes>},
    {"raw", looks_like_raw, nullptr, whole<refuse_raw>},
    {"mprof", looks_like_mprof, nullptr, whole<load_mprof_text>},
    {"tau", looks_like_tau_text, load_tau_text},
    {"ppk", looks_like_ppk, nullptr, whole<load_ppk_bytes>},
    {"JSON", looks_like_json, nullptr, load_json},
    {"memray", looks_like_memray_csv, nullptr, whole<load_memray_csv>},
    {"pprof", looks_like_pprof, nullptr, whole<load_pprof_bytes>},
    {"callgrind", looks_like_callgrind, nullptr, whole<load_callgrind_bytes>},
    {"line-text", has_line_tables, nullptr, whole<load_line_text>},
    // Any lines that end in a number.
    {"collapsed", looks_like_collapsed, load_stacks_file, whole<load_collapsed_bytes>},
};
constexpr const FileFormat* kLineText = std::end(kFormats) - 2;

const FileFormat* find_format(std::string_view prefix) {
  const auto* found =
      std::find_if(std::begin(kFormats), std::end(kFormats),
                   [&](const FileFormat& format) { return format.recognises(prefix); });
  return found == std::end(kFormats) ? nullptr : found;
}

// Tables of lines may stand behind megabytes of what the program itself printed, and lines that end
// in a number be its output, unless there are the semicolons of stacks in them.
bool may_have_tables_behind(std::string_view prefix, const FileFormat* format) {
  const bool is_text = prefix.find('\0') == std::string_view::npos;
  const bool is_stacks = format != nullptr && prefix.find(';') != std::string_view::npos;
  const bool is_certain = format != nullptr && format->name != "collapsed";
  return is_text && prefix.size() == kPrefix && !is_stacks && !is_certain;
}

Result<const FileFormat*> find_format(const Path& path, std::string_view prefix) {
  const FileFormat* format = find_format(prefix);
  std::error_code ignored;
  if (may_have_tables_behind(prefix, format) &&
      std::filesystem::file_size(path, ignored) <= kLargestText) {
    PYROMETER_TRY(const std::string text, read_file(path, kLargestText));
    if (has_line_tables(text)) return kLineText;
  }
  return format;
}

tl::unexpected<Error> unknown_format(const Path& path) {
  return fail(ErrorCode::kUnsupported,
              "'{}' is not a profile that Pyrometer knows; it reads its own recordings and merged "
              "files, and files of cProfile, line_profiler, memory_profiler, mprof, TAU, py-spy, "
              "austin, perf, speedscope, Chrome, Firefox, pprof, callgrind and memray",
              path.string());
}

tl::unexpected<Error> about(const Path& path, const Error& error) {
  return fail(error.code, "'{}': {}", path.string(), error.message);
}

Result<std::string> read_prefix_of(const Path& path) {
  PYROMETER_TRY(std::string prefix, read_prefix(path, kPrefix));
  if (prefix.empty()) {
    return fail(ErrorCode::kCorrupt, "'{}' is empty; nothing was recorded before the program ended",
                path.string());
  }
  return prefix;
}

Result<std::string> inflate_file(const Path& path) {
  PYROMETER_TRY(const std::string bytes, read_file(path, kLargestFile));
  auto plain = inflate_gzip(bytes, kLargestFile);
  if (!plain) return about(path, plain.error());
  return *std::move(plain);
}

Result<Profile> load_bytes(const Path& path, std::string_view bytes, const FileFormat* format,
                           Detail detail) {
  if (format == nullptr) return unknown_format(path);
  if (format->load_bytes == nullptr) {
    return fail(ErrorCode::kUnsupported, "'{}' is not read compressed; type: gunzip '{}'",
                path.string(), path.string());
  }
  auto profile = format->load_bytes(bytes, detail);
  if (!profile) return about(path, profile.error());
  return *std::move(profile);
}

}  // namespace

Result<const FileFormat*> recognise(const Path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return &kFormats[0];
  PYROMETER_TRY(const std::string prefix, read_prefix_of(path));
  const FileFormat* format = nullptr;
  if (looks_like_gzip(prefix)) {
    PYROMETER_TRY(const std::string plain, inflate_file(path));
    format = find_format(std::string_view(plain).substr(0, kPrefix));
  } else {
    PYROMETER_TRY(format, find_format(path, prefix));
  }
  if (format == nullptr) return unknown_format(path);
  return format;
}

Result<Profile> load_by_content(const Path& path, Detail detail, const Progress& progress) {
  PYROMETER_TRY(const std::string prefix, read_prefix_of(path));
  if (looks_like_gzip(prefix)) {
    PYROMETER_TRY(const std::string plain, inflate_file(path));
    return load_bytes(path, plain, find_format(std::string_view(plain).substr(0, kPrefix)), detail);
  }
  PYROMETER_TRY(const FileFormat* format, find_format(path, prefix));
  if (format != nullptr && format->load != nullptr) return format->load(path, detail, progress);
  PYROMETER_TRY(const std::string bytes, read_file(path, kLargestFile));
  return load_bytes(path, bytes, format, detail);
}

}  // namespace pyrometer
