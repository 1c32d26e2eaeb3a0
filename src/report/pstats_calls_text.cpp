// Callers and callees as pstats prints them: the same layout, seen from the two ends of a call.
#include <algorithm>
#include <tuple>

#include "report/pstats_text.h"

namespace pyrometer {
namespace {

// The functions at the other end of one function's calls, and what each call cost.
using Calls = std::vector<PstatsCaller>;

std::string padded(std::string text, std::size_t width) {
  const std::size_t size = character_count(text);
  if (size < width) text.append(width - size, ' ');
  return text;
}

class CallsText {
 public:
  CallsText(const PstatsFile& file, std::size_t name_width, const char* arrow)
      : file_(file), name_width_(name_width), arrow_(arrow) {}

  std::string heading(const char* title) const {
    std::string text = padded("Function ", name_width_) + title + "\n";
    // Only times need titles; a file has them for all calls or for none.
    const auto first =
        std::find_if(file_.functions.begin(), file_.functions.end(),
                     [](const PstatsFunction& function) { return !function.callers.empty(); });
    if (first == file_.functions.end() || !first->callers.front().has_times) return text;
    text += std::string(name_width_, ' ');
    return text +
           (file_.sampled ? "    nsamples  tottime  cumtime\n" : "    ncalls  tottime  cumtime\n");
  }

  Result<void> write_lines(const PstatsFunction& subject, Calls calls, std::string& text) const {
    text += padded(shown_name(subject), name_width_) + arrow_ + " ";
    if (calls.empty()) text += "\n";
    std::sort(calls.begin(), calls.end(),
              [&](const PstatsCaller& a, const PstatsCaller& b) { return label(a) < label(b); });
    bool is_first = true;
    for (const PstatsCaller& call : calls) {
      text += call.has_times ? timed_call(call, is_first) : counted_call(call, is_first);
      is_first = false;
      PYROMETER_TRY_VOID(check_text_size(text));
    }
    return check_text_size(text);
  }

 private:
  std::tuple<std::string_view, std::int32_t, std::string_view> label(
      const PstatsCaller& call) const {
    const PstatsFunction& function = file_.functions[call.function];
    return {function.file, function.line, function.name};
  }

  std::string timed_call(const PstatsCaller& call, bool is_first) const {
    const PstatsCost& cost = call.cost;
    std::string count = fmt::format("{}", cost.calls);
    if (cost.calls != cost.primitive_calls) count += fmt::format("/{}", cost.primitive_calls);
    const std::size_t indent = is_first ? 0 : name_width_ + 1;
    return fmt::format("{:{}}{:>{}} {:8.3f} {:8.3f}  {}\n", "", indent, count, is_first ? 7 : 9,
                       cost.self_seconds, cost.total_seconds,
                       shown_name(file_.functions[call.function]));
  }

  // The time is the whole of the other function's, as nobody knows the share of this call.
  std::string counted_call(const PstatsCaller& call, bool is_first) const {
    const PstatsFunction& other = file_.functions[call.function];
    const std::size_t indent = is_first ? 0 : name_width_ + 3;
    return fmt::format("{:{}}{}({}) {:8.3f}\n", "", indent, shown_name(other), call.cost.calls,
                       other.cost.total_seconds);
  }

  const PstatsFile& file_;
  std::size_t name_width_;
  const char* arrow_;
};

template <class CallsOf>
Result<std::string> calls_text(const PstatsFile& file, const PstatsSelection& selection,
                               const char* title, const char* arrow, CallsOf calls_of) {
  const PstatsListing listing = make_pstats_listing(file, selection);
  if (listing.functions.empty()) return std::string();
  const CallsText calls(file, listing.name_width + 2, arrow);
  std::string text = listing.heading + "\n" + calls.heading(title);
  for (const std::uint32_t index : listing.functions) {
    PYROMETER_TRY_VOID(calls.write_lines(file.functions[index], calls_of(index), text));
  }
  return text + "\n\n";
}

}  // namespace

Result<std::string> pstats_callers_text(const PstatsFile& file, const PstatsSelection& selection) {
  return calls_text(file, selection, "was called by...", "<-",
                    [&](std::uint32_t index) { return file.functions[index].callers; });
}

Result<std::string> pstats_callees_text(const PstatsFile& file, const PstatsSelection& selection) {
  std::vector<Calls> callees(file.functions.size());
  for (std::uint32_t callee = 0; callee < file.functions.size(); ++callee) {
    for (PstatsCaller call : file.functions[callee].callers) {
      const std::uint32_t caller = std::exchange(call.function, callee);
      callees[caller].push_back(call);
    }
  }
  return calls_text(file, selection, "called...", "->",
                    [&](std::uint32_t index) { return std::move(callees[index]); });
}

}  // namespace pyrometer
