#include <cstdlib>

#include "base/format_value.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "cli/command_line.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "cli/view_browser.h"
#include "cli/view_profiles.h"
#include "os/own_process.h"
#include "serve/access_rules.h"
#include "serve/page_file.h"
#include "serve/view_service.h"

namespace pyrometer {
namespace {

struct ViewArguments {
  std::vector<std::string> profiles;
  std::uint16_t port = 0;
  std::string html;
  bool no_open = false;
  bool no_source = false;
  bool json = false;
};

Result<ProfileVersions> load_versions(const std::vector<Path>& paths) {
  ProgressLine progress;
  ProfileVersions versions;
  for (const Path& path : paths) {
    PYROMETER_TRY(ProfileVersion version, load_version(path, progress.listener()));
    for (const std::string& note : version.profile->summary().notes) print_error(note);
    versions.push_back(std::move(version));
  }
  return versions;
}

Result<void> write_page(const ViewArguments& arguments, const ProfileVersions& versions) {
  PYROMETER_TRY(const std::string page,
                make_page(versions, {.without_sources = arguments.no_source}));
  if (arguments.html == kStandardStream) return write_to_stdout(page);
  PYROMETER_TRY_VOID(write_file(arguments.html, page));
  if (!arguments.json) return {};
  JsonWriter json;
  json.begin_object().member("file", arguments.html).member("bytes", page.size()).end_object();
  return write_to_stdout(json.take());
}

Result<void> say_where(const ViewArguments& arguments, const ProfileVersions& versions,
                       const std::string& url, std::uint16_t port) {
  if (arguments.json) {
    JsonWriter json;
    json.begin_object().member("url", url).member("pid", own_pid()).end_object();
    return write_to_stdout(json.take());
  }
  const std::string what = versions.size() == 1
                               ? printable(versions[0].profile->title().name)
                               : format_plural(versions.size(), "profile", "profiles");
  std::string text = fmt::format("{} is shown at\n  {}\n", what, url);
  if (versions.size() > 1) text = fmt::format("{} are shown at\n  {}\n", what, url);
  if (is_behind_ssh()) {
    text +=
        fmt::format("From your own computer, connect with\n  {}\nand open that address there.\n",
                    ssh_line(port));
  }
  return write_to_stdout(text + "Ctrl-C ends it.\n");
}

Result<void> serve_view(const ViewArguments& arguments, const std::vector<Path>& paths,
                        const ProfileVersions& versions) {
  ProfileSet profiles(versions);
  const ViewServiceOptions options{.compresses = is_behind_ssh(),
                                   .without_sources = arguments.no_source};
  const std::string token = make_token();
  PYROMETER_TRY(HttpServer server,
                HttpServer::listen(arguments.port, token, make_view_service(profiles, options)));
  server.stop_by_signals();
  const std::string url = fmt::format("http://127.0.0.1:{}/{}/", server.port(), token);
  PYROMETER_TRY_VOID(say_where(arguments, versions, url, server.port()));
  const bool opens = !arguments.no_open && !arguments.json && !is_behind_ssh() && has_screen();
  if (opens &&
      !open_browser(fmt::format("http://127.0.0.1:{}{}", server.port(), server.entrance()))) {
    print_error("no browser could be started; open the address above in one");
  }
  const LiveReader live(paths, profiles);
  server.run();
  // Nothing is left to write; whoever still works something out for a page that is closed would
  // only keep the user waiting.
  remove_standard_input_file();
  std::_Exit(EXIT_SUCCESS);
}

Result<void> run_view(const ViewArguments& arguments) {
  PYROMETER_TRY(const std::vector<Path> paths, find_profiles(arguments.profiles));
  PYROMETER_TRY(const ProfileVersions versions, load_versions(paths));
  if (!arguments.html.empty()) return write_page(arguments, versions);
  return serve_view(arguments, paths, versions);
}

}  // namespace

void add_view_command(CommandLine& line) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App& command = *line.app.add_subcommand(
      "view", "Show profiles in a browser, also of another machine, or write them as one page");
  add_profiles(command, arguments->profiles);
  CLI::Option* port = command
                          .add_option("--port", arguments->port,
                                      "Port of 127.0.0.1 to listen on (default: any free one)")
                          ->type_name("N");
  CLI::Option* no_open = command.add_flag("--no-open", arguments->no_open,
                                          "Only print the address, do not start a browser");
  command
      .add_option("-o,--html", arguments->html,
                  "Write a page that holds everything and needs no server, then end; - prints it")
      ->type_name("FILE")
      ->excludes(port)
      ->excludes(no_open);
  command.add_flag("--no-source", arguments->no_source, "Leave the text of source files out");
  command.add_flag("--json", arguments->json,
                   "Print the address as one line of JSON, and start no browser");
  command.callback(
      [&line, arguments] { line.action = [arguments] { return run_view(*arguments); }; });
}

}  // namespace pyrometer
