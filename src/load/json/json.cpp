#include "load/json/json.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "formats/json_values.h"
#include "load/json/json_formats.h"

namespace pyrometer {
namespace {

bool has(const json::object& file, std::string_view key) {
  return file.contains({key.data(), key.size()});
}

bool is_speedscope(const json::object& file) {
  return array_in(file, "profiles") != nullptr && object_in(file, "shared") != nullptr;
}
bool is_firefox(const json::object& file) {
  return object_in(file, "meta") != nullptr && array_in(file, "threads") != nullptr;
}
bool is_chrome_trace(const json::object& file) { return array_in(file, "traceEvents") != nullptr; }
bool is_own_json(const json::object& file) { return text_in(file, "kind") == "pyrometer-profile"; }
bool is_gprof2dot_json(const json::object& file) {
  return has(file, "functions") && has(file, "events") && has(file, "costs");
}
bool is_memray_stats(const json::object& file) {
  return has(file, "total_num_allocations") && has(file, "top_allocations_by_size");
}

Result<Profile> load_trace_object(const json::object& file, Detail detail) {
  return load_chrome_trace(*array_in(file, "traceEvents"), detail);
}

struct JsonFormat {
  bool (*recognises)(const json::object& file);
  Result<Profile> (*load)(const json::object& file, Detail detail);
};
constexpr JsonFormat kJsonFormats[] = {
    {is_own_json, load_own_json},
    {is_speedscope, load_speedscope},
    {is_chrome_trace, load_trace_object},
    {is_firefox, load_firefox},
    {is_gprof2dot_json, load_gprof2dot_json},
    {is_memray_stats, load_memray_stats},
};

// A bare array of events is a trace of Chrome.
bool is_event_array(const json::array& events) {
  const json::object* first = events.empty() ? nullptr : events[0].if_object();
  return first != nullptr && has(*first, "ph");
}

Result<Profile> load_document(const JsonDocument& document, Detail detail) {
  if (const json::array* events = document.root().if_array();
      events != nullptr && is_event_array(*events)) {
    return load_chrome_trace(*events, detail);
  }
  if (const json::object* file = document.root().if_object()) {
    for (const JsonFormat& format : kJsonFormats) {
      if (format.recognises(*file)) return format.load(*file, detail);
    }
  }
  return fail(
      ErrorCode::kUnsupported,
      "this JSON is not a profile that Pyrometer knows; it reads speedscope's files, Chrome "
      "traces, Firefox profiles, gprof2dot's and memray's JSON and its own export");
}

bool is_trace(const JsonDocument& document) {
  const json::array* events = document.root().if_array();
  if (events != nullptr) return is_event_array(*events);
  const json::object* file = document.root().if_object();
  return file != nullptr && is_chrome_trace(*file);
}

// Chrome's traces may end anywhere; any other text must be whole.
Result<Profile> load_cut_trace(std::string_view text, Detail detail, const Error& error) {
  const auto document = read_cut_trace(text);
  if (!document || !is_trace(*document)) return tl::unexpected(error);
  PYROMETER_TRY(Profile profile, load_document(*document, detail));
  if (document->is_cut()) {
    for (Process& process : profile.processes) process.status = ProcessStatus::kTruncated;
    profile.notes.emplace_back("the trace is cut; what came before the cut was read");
  }
  return profile;
}

}  // namespace

Result<Profile> load_json(std::string_view text, Detail detail) {
  // Python 3.15's sampler writes lines of JSON as well, without call paths.
  if (text.starts_with(R"({"type":"meta","v":)")) {
    return fail(ErrorCode::kUnsupported,
                "this is the JSONL of Python's sampler, which has no call paths; record with "
                "--gecko, --collapsed or --pstats instead");
  }
  const auto document = read_json(text);
  if (document) return load_document(*document, detail);
  if (document.error().code != ErrorCode::kCorrupt) return tl::unexpected(document.error());
  return load_cut_trace(text, detail, document.error());
}

}  // namespace pyrometer
