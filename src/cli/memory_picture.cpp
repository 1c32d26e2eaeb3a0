#include "cli/memory_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/picture_file.h"

namespace pyrometer {
namespace {

constexpr double kLongest = 9e9;  // seconds that nanoseconds can count

std::optional<std::int64_t> parse_moment(std::string_view text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (!(std::abs(seconds) < kLongest)) return std::nullopt;
  return std::llround(seconds * 1e9);
}

}  // namespace

Result<MemoryWindow> parse_window(std::string_view text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto begin = parse_moment(text.substr(0, comma));
  const auto end = parse_moment(text.substr(std::min(comma + 1, text.size())));
  if (!begin || !end) {
    return fail(ErrorCode::kUsage,
                "--window takes two numbers of seconds, such as 0,20.5, and '{}' is not that",
                text);
  }
  if (*begin >= *end) {
    return fail(ErrorCode::kUsage, "--window {} is empty; name the earlier moment first", text);
  }
  return MemoryWindow{*begin, *end};
}

Result<MemoryPictureOptions> parse_picture(const MemoryPictureArguments& arguments) {
  MemoryPictureOptions options{
      .title = arguments.title, .functions = !arguments.no_functions, .flame = arguments.flame};
  if (arguments.plot.empty()) return options;
  PYROMETER_TRY_VOID(check_picture_name(arguments.plot));
  if (arguments.window) {
    PYROMETER_TRY(options.window, parse_window(*arguments.window));
  }
  return options;
}

void add_picture_options(CLI::App& command, MemoryPictureArguments& arguments) {
  constexpr const char* kPicture = "Picture";
  CLI::Option* plot =
      command
          .add_option("--plot", arguments.plot, "Also draw memory over time: FILE.svg or FILE.png")
          ->type_name("FILE")
          ->group(kPicture);
  command.add_option("--title", arguments.title, "The picture's title")
      ->type_name("TEXT")
      ->needs(plot)
      ->group(kPicture);
  command
      .add_option("--window", arguments.window,
                  "Only what was between two moments, in seconds: 0,20.5")
      ->type_name("FROM,TO")
      ->needs(plot)
      ->group(kPicture);
  command.add_flag("--no-functions", arguments.no_functions, "No bars of functions and regions")
      ->needs(plot)
      ->group(kPicture);
  command
      .add_flag("--flame", arguments.flame,
                "Functions and regions as a flame: callees stand on callers")
      ->needs(plot)
      ->group(kPicture);
  command.add_flag("--slope", arguments.slope, "The trend over all the time, in the report, too")
      ->group(kPicture);
}

}  // namespace pyrometer
