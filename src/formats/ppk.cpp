// ParaProf's packed profile (.ppk): all threads and metrics in one stream of Java's numbers and
// texts, packed by gzip:
//     'P' 'P' 'K'  version 2  oldest reader 1  size of the header
//     header: size of a part to skip, metadata of the trial, metadata of each thread
//     metrics, groups, functions with the groups of each, events
//     per thread: place, rows (function, calls, subroutines, exclusive and inclusive by metric),
//     events (name, count, smallest, largest, mean, sum of squares)
#include <cmath>

#include "formats/java_data.h"
#include "formats/tau_profile.h"

namespace pyrometer {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\0P\0P\0K"sv;
constexpr std::int32_t kVersion = 2;
constexpr std::int32_t kOldestReader = 1;
constexpr std::size_t kText = 2;  // bytes that the shortest text takes

double finite(double value) { return std::isfinite(value) ? value : 0; }

class PpkReader {
 public:
  explicit PpkReader(std::string_view bytes)
      : in_(bytes), group_text_left_((std::size_t{16} << 20) + 16 * bytes.size()) {}

  Result<TauProfile> read() {
    in_.skip(static_cast<std::int64_t>(kMagic.size()));
    const std::int32_t version = in_.i32();
    const std::int32_t oldest_reader = in_.i32();
    if (in_.ok() && oldest_reader > kVersion) {
      return fail(ErrorCode::kUnsupported,
                  "it is a packed profile of version {}, newer than this Pyrometer reads ({})",
                  version, kVersion);
    }
    read_header(version);
    const std::uint32_t metrics = in_.count(kText);
    if (metrics > kMostTauMetrics) {
      return fail(ErrorCode::kTooLarge, "there are more than {} metrics", kMostTauMetrics);
    }
    for (std::uint32_t i = 0; i < metrics; ++i) profile_.metrics.push_back(in_.text());
    PYROMETER_TRY_VOID(read_names());
    const std::uint32_t threads = in_.count(20);
    for (std::uint32_t i = 0; i < threads && in_.ok(); ++i) {
      if (!read_thread()) {
        return fail(ErrorCode::kCorrupt, "a thread names a function or an event that is not there");
      }
    }
    if (!in_.ok()) return fail(ErrorCode::kCorrupt, "its data are cut; copy the file again");
    return std::move(profile_);
  }

 private:
  TauMetadata read_metadata() {
    TauMetadata metadata;
    const std::uint32_t count = in_.count(2 * kText);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::string name = in_.text();
      metadata.emplace_back(std::move(name), in_.text());
    }
    return metadata;
  }

  TauPlace read_place() {
    TauPlace place;
    place.node = in_.i32();
    place.context = in_.i32();
    place.thread = in_.i32();
    return place;
  }

  void read_header(std::int32_t version) {
    const std::int32_t size = in_.i32();
    if (version < 2) {
      in_.skip(size);
      return;
    }
    in_.skip(in_.i32());
    profile_.metadata = read_metadata();
    const std::uint32_t threads = in_.count(16);
    for (std::uint32_t i = 0; i < threads; ++i) {
      const TauPlace place = read_place();
      metadata_.insert_or_assign(place, read_metadata());
    }
  }

  Result<void> read_names() {
    std::vector<std::string> groups;
    const std::uint32_t group_count = in_.count(kText);
    for (std::uint32_t i = 0; i < group_count; ++i) groups.push_back(in_.text());
    const std::uint32_t function_count = in_.count(kText + 4);
    for (std::uint32_t i = 0; i < function_count; ++i) {
      TauFunction& function = profile_.functions.emplace_back();
      function.name = in_.text();
      const std::uint32_t own_groups = in_.count(4);
      for (std::uint32_t j = 0; j < own_groups; ++j) {
        const auto group = static_cast<std::uint32_t>(in_.i32());
        if (group >= groups.size()) {
          return fail(ErrorCode::kCorrupt, "a function names a group that is not there");
        }
        if (groups[group].size() > group_text_left_) {
          return fail(ErrorCode::kTooLarge,
                      "its functions repeat long names of groups without end");
        }
        group_text_left_ -= groups[group].size();
        function.groups += (function.groups.empty() ? "" : "|") + groups[group];
      }
    }
    const std::uint32_t event_count = in_.count(kText);
    for (std::uint32_t i = 0; i < event_count; ++i) profile_.events.push_back(in_.text());
    return {};
  }

  bool read_thread() {
    TauThread& thread = profile_.threads.emplace_back();
    thread.place = read_place();
    if (const auto found = metadata_.find(thread.place); found != metadata_.end()) {
      thread.metadata = std::move(found->second);
      metadata_.erase(found);
    }
    const std::size_t metrics = profile_.metrics.size();
    const std::uint32_t rows = in_.count(20 + 16 * metrics);
    if (rows > 0) thread.values.resize(metrics);
    for (std::uint32_t i = 0; i < rows; ++i) {
      TauRow row{.function = static_cast<std::uint32_t>(in_.i32())};
      if (row.function >= profile_.functions.size()) return false;
      row.calls = finite(in_.f64());
      row.subroutines = finite(in_.f64());
      thread.rows.push_back(row);
      for (auto& values : thread.values) {
        const double exclusive = finite(in_.f64());
        values.push_back({exclusive, finite(in_.f64())});
      }
    }
    const std::uint32_t events = in_.count(40);
    for (std::uint32_t i = 0; i < events; ++i) {
      TauEvent event{.name = static_cast<std::uint32_t>(in_.i32())};
      if (event.name >= profile_.events.size()) return false;
      event.count = in_.i32();
      event.smallest = finite(in_.f64());
      event.largest = finite(in_.f64());
      event.mean = finite(in_.f64());
      event.sum_of_squares = finite(in_.f64());
      thread.events.push_back(event);
    }
    return true;
  }

  JavaDataReader in_;
  std::size_t group_text_left_;  // a group takes four bytes in a function, however long its name
  TauProfile profile_;
  std::map<TauPlace, TauMetadata> metadata_;
};

class PpkWriter {
 public:
  explicit PpkWriter(const TauProfile& profile) : profile_(profile) {}

  Result<std::string> write() {
    out_.raw(kMagic);
    out_.i32(kVersion);
    out_.i32(kOldestReader);
    write_header();
    write_texts(out_, profile_.metrics);
    write_functions();
    write_texts(out_, profile_.events);
    count(out_, profile_.threads.size());
    for (const TauThread& thread : profile_.threads) write_thread(thread);
    if (is_sound_) return out_.take();
    return fail(
        ErrorCode::kTooLarge,
        "a packed profile has no room for names of over 65535 bytes, which the deepest call "
        "paths have; export a folder with '--format tau' instead");
  }

 private:
  static void count(JavaDataWriter& out, std::size_t number) {
    out.i32(static_cast<std::int32_t>(number));
  }
  void text(JavaDataWriter& out, std::string_view value) {
    is_sound_ = out.text(value) && is_sound_;
  }
  void write_texts(JavaDataWriter& out, const std::vector<std::string>& texts) {
    count(out, texts.size());
    for (const std::string& each : texts) text(out, each);
  }
  void write_metadata(JavaDataWriter& out, const TauMetadata& metadata) {
    count(out, metadata.size());
    for (const auto& [name, value] : metadata) {
      text(out, name);
      text(out, value);
    }
  }
  static void write_place(JavaDataWriter& out, const TauPlace& place) {
    out.i32(place.node);
    out.i32(place.context);
    out.i32(place.thread);
  }

  void write_header() {
    JavaDataWriter header;
    header.i32(0);  // a part of future versions
    write_metadata(header, profile_.metadata);
    count(header, profile_.threads.size());
    for (const TauThread& thread : profile_.threads) {
      write_place(header, thread.place);
      write_metadata(header, thread.metadata);
    }
    count(out_, header.size());
    out_.raw(header.take());
  }

  void write_functions() {
    std::map<std::string, std::int32_t> numbers;
    std::vector<std::string> groups;
    std::vector<std::vector<std::int32_t>> groups_of;
    for (const TauFunction& function : profile_.functions) {
      auto& own = groups_of.emplace_back();
      std::string_view rest = function.groups;
      while (!rest.empty()) {
        const std::string group(rest.substr(0, rest.find('|')));
        rest.remove_prefix(std::min(group.size() + 1, rest.size()));
        const auto [found, is_new] =
            numbers.try_emplace(group, static_cast<std::int32_t>(groups.size()));
        if (is_new) groups.push_back(group);
        own.push_back(found->second);
      }
    }
    write_texts(out_, groups);
    count(out_, profile_.functions.size());
    for (std::size_t i = 0; i < profile_.functions.size(); ++i) {
      text(out_, profile_.functions[i].name);
      count(out_, groups_of[i].size());
      for (const std::int32_t group : groups_of[i]) out_.i32(group);
    }
  }

  void write_thread(const TauThread& thread) {
    write_place(out_, thread.place);
    count(out_, thread.rows.size());
    for (std::size_t i = 0; i < thread.rows.size(); ++i) {
      out_.i32(static_cast<std::int32_t>(thread.rows[i].function));
      out_.f64(thread.rows[i].calls);
      out_.f64(thread.rows[i].subroutines);
      for (std::size_t metric = 0; metric < profile_.metrics.size(); ++metric) {
        const TauValue value = thread.value(metric, i);
        out_.f64(value.exclusive);
        out_.f64(value.inclusive);
      }
    }
    count(out_, thread.events.size());
    for (const TauEvent& event : thread.events) {
      out_.i32(static_cast<std::int32_t>(event.name));
      out_.i32(static_cast<std::int32_t>(std::min(event.count, 2147483647.0)));
      out_.f64(event.smallest);
      out_.f64(event.largest);
      out_.f64(event.mean);
      out_.f64(event.sum_of_squares);
    }
  }

  const TauProfile& profile_;
  JavaDataWriter out_;
  bool is_sound_ = true;
};

}  // namespace

bool looks_like_ppk(std::string_view prefix) { return prefix.starts_with(kMagic); }

Result<TauProfile> read_ppk(std::string_view inflated) {
  if (!looks_like_ppk(inflated)) {
    return fail(ErrorCode::kUnsupported, "it is packed by gzip, but no packed profile of ParaProf");
  }
  return PpkReader(inflated).read();
}

Result<std::string> write_ppk(const TauProfile& profile) { return PpkWriter(profile).write(); }

}  // namespace pyrometer
